#include "query/sweep_sphere.h"
#include "query/sweep3d.h"
