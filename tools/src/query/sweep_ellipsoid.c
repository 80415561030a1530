#include "query/sweep_ellipsoid.h"
#include "query/sweep3d.h"
