#include "tree/bvh_build.h"
#include "tree/reinsertion.h"

CDI_FN cd_status cdi_optimise(cdi_builder *b) {
    (void)b;
    return CD_OK;
}
