#pragma once
/* ccd: continuous collision of a vertex with a face, of two edges. */

#include "query/hit.h"
