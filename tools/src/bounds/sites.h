#pragma once
/* sites (internal): points of the plane, points of space and spheres seen as one kind of thing, balls of doubles, and how far
 * they reach from a centre.
 *
 * All of it works on coordinates times a power of two, which in a double build brings the largest near 1, so that no square
 * leaves the range; in a float build it is 1. The radius that is answered in the end is not taken from these numbers but
 * checked against the sites themselves, exactly. */

#include "core/status.h"
#include "core/vec3d.h"

typedef struct cdi_sites {
    const cd_real *at;
    size_t count;
    int stride; /* numbers from one to the next: 2 points of the plane, 3 points, 4 spheres (a radius below 0: none) */
    double scale; /* of the coordinates below */
    double unit;  /* in a double build: the last place of the largest number, scaled */
} cdi_sites;

typedef struct cdi_ball {
    cdi_v3 c;
    double r;
} cdi_ball;

/* False when a number is not finite. */
CDI_FN bool cdi_sites_make(cdi_sites *s, const cd_real *at, size_t count, int stride);

/* Site i, scaled. */
CDI_INLINE cdi_ball cdi_site(const cdi_sites *s, size_t i) {
    const cd_real *p = s->at + i * (size_t)s->stride;
    cdi_ball b;
    b.c = cdi_v3_make((double)p[0], (double)p[1], s->stride > 2 ? (double)p[2] : 0.0);
    b.r = s->stride > 3 ? (double)p[3] : 0.0;
#ifdef COLLIDE_DOUBLE
    b.c = cdi_v3_scale(b.c, s->scale);
    b.r *= s->scale;
#endif
    return b;
}

/* How far the ball reaches from c; -1 for one that is not there. */
CDI_INLINE double cdi_ball_reach(const cdi_ball *b, cdi_v3 c) {
    return b->r < 0.0 ? -1.0 : cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(b->c, c))) + b->r;
}

/* The centre in the interface's numbers, and what these are when scaled. */
typedef struct cdi_stored {
    cd_vec3 center;
    cdi_v3 c;
} cdi_stored;
CDI_FN cdi_stored cdi_sites_store(const cdi_sites *s, cdi_v3 c);

/* The sites that reach farthest from c, one of each of a few dozen stretches of the list: those that reach beyond `limit`. The
 * farthest of all is `reach` away. */
enum { CDI_SITES_SPREAD = 64 };
typedef struct cdi_scan {
    double reach;
    int count;
    size_t found[CDI_SITES_SPREAD];
} cdi_scan;
CDI_FN void cdi_sites_scan(const cdi_sites *s, cdi_v3 c, double limit, cdi_scan *out);

/* The least radius about the stored centre that holds all sites, exactly; `reach` is how far they reach in cdi_sites_scan.
 * CD_TOO_LARGE when no number is large enough. */
CDI_FN cd_status cdi_sites_radius(const cdi_sites *s, const cdi_stored *at, double reach, cd_real *radius);

/* Both steps: the ball about a (scaled) centre. */
CDI_FN cd_status cdi_sites_cover(const cdi_sites *s, cdi_v3 c, cd_vec3 *center, cd_real *radius);

/* Is the ball about b, of radius r, part of that about a, of radius R? Exact, in plain numbers. */
CDI_FN bool cdi_ball_holds(cdi_v3 a, double R, cdi_v3 b, double r);
