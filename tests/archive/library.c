#define COLLIDE_IMPLEMENTATION
#include "collide.h"
