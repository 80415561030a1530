#include "query/sweep_plane.h"
#include "query/sweep3d.h"
