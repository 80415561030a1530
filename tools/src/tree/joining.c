#include "tree/bvh_build.h"
#include "tree/topdown.h"
#include "tree/joining.h"

CDI_FN cd_status cdi_build_bottom_up(cdi_builder *b) {
    return cdi_build_topdown(b);
}

CDI_FN cd_status cdi_build_near_linear(cdi_builder *b) {
    return cdi_build_topdown(b);
}

CDI_FN cd_status cdi_build_clustered(cdi_builder *b) {
    return cdi_build_topdown(b);
}
