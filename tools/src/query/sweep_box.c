#include "query/sweep_box.h"
#include "query/sweep3d.h"
