#pragma once
/* halving: interval halving (Ericson 5.5.1). */

#include "query/hit.h"
