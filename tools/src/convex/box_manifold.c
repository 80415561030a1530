#include "convex/box_manifold.h"
