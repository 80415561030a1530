#pragma once
/* dyn_check (internal): does a tree that changes keep its rules? */

#include "tree/dyn_nodes.h"

CDI_FN bool cdi_dyn_is_sound(const cd_dyntree *t);
