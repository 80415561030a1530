#include "convex/time_of_impact.h"
