#include "query/sweep_capsule.h"
#include "query/sweep3d.h"
