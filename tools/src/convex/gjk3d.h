#pragma once
/* gjk3d (internal): the distance of two cores by the algorithm of Gilbert, Johnson and Keerthi, in double (Ericson 9.5).
 *
 * Two bounds are kept: any direction gives a lower one, the least of B - A along it; any point of the simplex an upper one. The
 * answer lies between them however a simplex was solved, but for rounding: CDI_GJK_ROUNDING times the couple's scale. Directions are
 * made of the simplex's edges, not of its point nearest to the origin, which is mostly rounding where the bodies nearly touch. */

#include "convex/separation.h"
#include "convex/simplex.h"

#define CDI_GJK_CONVERGED 9.094947017729282e-13 /* 2^-40: a gap of this times the scale is no failure */

/* How it ended. */
typedef enum cdi_gjk_end {
    CDI_GJK_APART,   /* the cores are apart: lower > 0 */
    CDI_GJK_INSIDE,  /* the origin is in the simplex, or as near as rounding can tell: the cores meet */
    CDI_GJK_STOPPED, /* told to, or the bounds are as they are: lower <= 0 < upper may be */
} cdi_gjk_end;

typedef struct cdi_gjk {
    cdi_tip tip[4];   /* of the simplex, `count` of them; all bear v */
    double weight[4]; /* v is their sum with these; when INSIDE with four of them they need not be set */
    int count;
    cdi_v3 v;    /* the point of the simplex nearest to the origin: from A to B; 0 when INSIDE with four */
    cdi_v3 axis; /* unit: the direction that proved `lower` */
    double lower, upper; /* the cores' distance is between them; lower may be below 0 */
    cdi_gjk_end end;
    uint32_t iterations;
} cdi_gjk;

/* Where to stop early. */
typedef struct cdi_gjk_limits {
    double enough;    /* STOPPED once lower > enough; CDI_HUGE: never */
    double touch;     /* STOPPED once 0 < upper <= touch; 0: never */
    double tolerance; /* upper - lower of this is good enough */
    double
        shallow; /* of cores that meet: a depth that is surely no more than this is not looked at closer; -CDI_HUGE: always */
    uint32_t iterations; /* 0: the bound */
    bool whole;          /* where a new tip was the reason to stop, the simplex takes it in */
} cdi_gjk_limits;

/* Begins where `state` says: a simplex of `count` corners, right as they stand; or count 0 and `axis` as a guess, zero for none. */
CDI_FN void cdi_gjk_run(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_gjk *state);

/* A signed distance in double of the rounded bodies, before it is rounded into a cd_separation; what casts ask. */
typedef struct cdi_clearance {
    double lower, upper; /* the signed distance is between them */
    cdi_v3 normal, a, b;
    uint32_t feature_a, feature_b, iterations;
} cdi_clearance;

/* The answer that settled tips give: the cores' distance along `normal` is `distance`, at least `lower`; of both the radii are taken. The
 * witness points are on the rounded surfaces. */
CDI_FN void cdi_clearance_of_tips(const cdi_couple *pair, const cdi_tip *tip, const double *weight, int count,
                                  cdi_v3 normal, double lower, double distance, cdi_clearance *out);

/* The same of what cdi_gjk_run ended with, which it settles. Where the cores meet, their distance is taken for 0, `lower` for a bound of it. */
CDI_FN void cdi_clearance_of_gjk(const cdi_couple *pair, cdi_gjk *s, cdi_clearance *out);

/* Rounded: `distance` is the upper bound, and `gap` what is left to the lower, with all rounding. CD_OK where `converged`. */
CDI_FN void cdi_separation_of(const cdi_couple *pair, const cdi_clearance *c, bool converged,
                              cd_separation *out);

/* No answer. */
CDI_FN void cdi_separation_of_nothing(cd_separation *out);

/* Limits of the cores; `rounded`: the couple's. */
CDI_FN cdi_gjk_limits cdi_gjk_limits_of(const cd_separation_options *o, double rounded);

/* What a cache holds, as tips or an axis; `s` comes without. A tip is two words; false where they are none. */
CDI_FN void cdi_cache_read(const cdi_couple *pair, const cd_cache *cache, cdi_gjk *s);
CDI_FN void cdi_cache_write(const cdi_couple *pair, const cdi_gjk *s, cd_cache *cache);
CDI_FN bool cdi_cache_tip(const cdi_couple *pair, const uint32_t *words, cdi_tip *out);

/* cd_gjk_test of a couple that is open: are the bodies no farther apart than `distance`? If not, `way` is a unit vector that shows it. */
CDI_FN bool cdi_couple_test(const cdi_couple *pair, double distance, cd_cache *cache, cdi_v3 *way);

/* Settled tips of the cores after a full run: nearest points of them where they are apart, else a point of both, twice. */
CDI_FN void cdi_couple_cores(const cdi_couple *pair, cdi_v3 *a, cdi_v3 *b);
