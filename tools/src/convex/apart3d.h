#pragma once
/* apart3d (internal): the signed distance of two convex bodies in double: by GJK, and where the cores meet by EPA. */

#include "convex/epa3d.h"
#include "convex/gjk.h"
#include "convex/gjk3d.h"

/* Where to begin, and then where it ended. */
typedef struct cdi_apart_hint {
    cdi_gjk gjk;     /* see cdi_gjk_run */
    cdi_tip face[3]; /* the last face of a deep pair */
    int count;       /* ... its tips, which are right as they stand: 3, or 0 for none */
    bool deep;       /* the cores meet: the lower bound is that of the normal, which parts them */
} cdi_apart_hint;

/* Comes with where to begin (all zero: anywhere), leaves with what it ended with. The limits are those of the cores. False where one was
 * met, or rounding was: the bounds hold. */
CDI_FN bool cdi_convex_apart(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_apart_hint *hint,
                             cdi_clearance *out);

/* The same from and into a cache, which may be NULL; `hint` comes with nothing. `upper` is the answer: of a deep pair what parts it. */
CDI_FN bool cdi_apart_cached(const cdi_couple *pair, const cdi_gjk_limits *limits, cd_cache *cache,
                             cdi_apart_hint *hint, cdi_clearance *out);

/* cd_convex_distance of a couple that is open. Of cores that meet, what is surely no less than `least` is not looked at closer. */
CDI_FN void cdi_couple_query(const cdi_couple *pair, const cd_separation_options *options, double least,
                             cd_cache *cache, cd_separation *out);

/* The whole query of cd_convex_distance, and of cd_epa. */
CDI_FN void cdi_convex_query(const cd_convex_pair *p, const cd_separation_options *options, cd_cache *cache,
                             cd_separation *out);
