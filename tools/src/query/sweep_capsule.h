#pragma once
/* sweep_capsule: a moving capsule. */

#include "query/sweep.h"
