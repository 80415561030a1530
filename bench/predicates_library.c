/* The library as a program holds it: one file with the implementation. */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
