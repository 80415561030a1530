/* volumes: trees of different bounding volumes over the same meshes, tree against tree. */
#ifndef BENCH_VOLUMES_H
#define BENCH_VOLUMES_H

#include "peers.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One kind of tree after another; the last has no name. */
extern const bench_tree bench_volumes_ours[], bench_volumes_counted[], bench_volumes_fcl[];

#ifdef __cplusplus
}
#endif

#endif
