#pragma once
/* sweep_plane: moving things against planes and half-spaces (Ericson 5.5.3). */

#include "query/sweep.h"
