/* hulls.h - judges a hull by what it is, with exact predicates and no second builder; and clouds of points to try one on.
 *
 * A closed surface that is convex at every edge, whose corners are input points and which has no input point in front of
 * it, is the hull of these points, and there is one only. */
#ifndef HULLS_H
#define HULLS_H

#include "gen.h"

/* ---- judging ---- */

/* The signs of the predicates: of doubles where their rounding errors cannot matter, else of the oracle. */
int hulls_turn(const double a[2], const double b[2], const double c[2]);
int hulls_side(const double a[3], const double b[3], const double c[3], const double d[3]);

/* Is this the hull of the points, in the form that the library promises? `work` bounds how many points are tried against
 * faces: all when count * faces is no more, else some. Returns whether all checks held. */
bool hulls_judge(const cd_hull *hull, const cd_vec3 *points, size_t count, double work);

/* The same for a hull whose faces were merged: closed, of polygons that are flat within the tolerance. */
bool hulls_judge_merged(const cd_hull *hull, const cd_vec3 *points, size_t count, double tolerance);

/* The same vertices, half-edges and faces, to the bit; `sources` may differ. */
bool hulls_same(const cd_hull *a, const cd_hull *b);
/* The same half-edges. */
bool hulls_same_topology(const cd_hull *a, const cd_hull *b);
/* Faces of the same points? `number[i]` is the number in b's cloud of point i of a's, NULL for the same numbers; with
 * `reversed` those of b turn the other way. */
bool hulls_same_faces(const cd_hull *a, const cd_hull *b, const uint32_t *number, bool reversed);

/* ---- clouds ---- */

typedef struct hulls_cloud {
    cd_vec3 *points;
    size_t count;
    test_rng *rng;
} hulls_cloud;

/* All kinds: about n points, in any order. */
extern const struct hulls_kind {
    const char *name;
    void (*fill)(hulls_cloud *c, int n);
} hulls_kinds[];
extern const int hulls_kind_count;

hulls_cloud hulls_cloud_make(test_rng *rng, const char *kind, int n);
void hulls_cloud_add(hulls_cloud *c, double x, double y, double z); /* rounded once */
void hulls_cloud_shuffle(hulls_cloud *c, uint32_t *number); /* number[i], if asked for: where point i went */
void hulls_cloud_free(hulls_cloud *c);
/* Names the kind, and shows the points when they are few. */
void hulls_cloud_note(const hulls_cloud *c, const char *name);

#endif
