#include "tree/bvh_build.h"
#include "tree/linear.h"
#include "tree/topdown.h"

CDI_FN cd_status cdi_build_linear(cdi_builder *b) {
    return cdi_build_topdown(b);
}
