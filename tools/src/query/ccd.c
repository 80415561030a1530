#include "query/ccd.h"
