#include "any/shape_mass.h"
