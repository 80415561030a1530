#pragma once
/* sweep_box: a moving box (Ericson 5.5.8). */

#include "query/sweep.h"
