#include "query/halving.h"
