#pragma once
/* sweep_ellipsoid: a moving ellipsoid. */

#include "query/sweep.h"
