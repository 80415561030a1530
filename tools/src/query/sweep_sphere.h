#pragma once
/* sweep_sphere: a moving sphere (Ericson 5.5.3-5.5.7). */

#include "query/sweep.h"
