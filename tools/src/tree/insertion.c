#include "tree/bvh_build.h"
#include "tree/topdown.h"
#include "tree/insertion.h"

CDI_FN cd_status cdi_build_inserted(cdi_builder *b) {
    return cdi_build_topdown(b);
}
