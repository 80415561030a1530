#include "any/shape_cast.h"
#include "any/parts.h"
