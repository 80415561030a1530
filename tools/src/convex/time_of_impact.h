#pragma once
#include "convex/gjk_cast.h"
