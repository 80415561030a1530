#include "any/shape_distance.h"
#include "any/parts.h"
#include "convex/convex_distance.h"
