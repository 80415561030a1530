#include "sweeps.h"
