#pragma once
/* shape_mass: mass, center and inertia of any shape. */

#include "any/shape_bounds.h"
