#pragma once
/* motion: motion models (Ericson 2.4.3). */

#include "query/hit.h"
