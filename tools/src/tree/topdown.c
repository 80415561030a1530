#include "tree/topdown.h"

#include "tree/bins.h"
#include "tree/planes.h"
#include "tree/swept.h"

CDI_FN cd_status cdi_build_topdown(cdi_builder *b) {
    cdi_range all;
    uint32_t method = b->options->method;
    bool planes = method >= CD_BVH_OBJECT_MEDIAN && method <= CD_BVH_CANDIDATES;
    if (method == CD_BVH_SAH_SWEPT) return cdi_build_swept(b);
    all.first = 0;
    all.count = b->count;
    cdi_range_measure(b, &all);
    return cdi_build_by_cuts(b, &all, planes ? cdi_cut_by_plane : cdi_cut_by_bins, b, 0.05) ? CD_OK
                                                                                            : CD_CANCELLED;
}
