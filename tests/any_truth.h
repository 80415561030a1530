/* any_truth.h - the references for any two shapes: each is a list of convex pieces in long double, and what is asked of two of them is
 * asked of every pair of pieces.
 *
 * A distance is shown right by itself: two points that near, and a direction along which the pieces are that far apart, both found by a
 * walk that tries all subsets of its simplex. Depths come from convex_truth. Nothing here asks how the library goes about it: shapes are
 * read as their documentation has them. any_judge.h asks the library, and checks what it says. */
#ifndef ANY_TRUTH_H
#define ANY_TRUTH_H

#include "convex_truth.h"

/* A convex piece, or a half-space n.x <= d with a unit n. */
typedef struct any_piece {
    truth_body body;
    bool halfspace, turned; /* turned: by a pose of its own inside of the shape, or a scale */
    bool summed;            /* its radius is a sum, which may be rounded */
    bool
        rough; /* an oriented box, a polygon: rays take it for right-angled, or flat, which it is but for rounding */
    bool cell; /* of a height field: where the cell has no material, it may be the shape's */
    long double n[3], d;
    long double center[3], reach; /* of a ball that holds it */
    long double far;              /* how far a pose inside of the shape led it */
    cd_part part;                 /* what results should say of it */
    uint32_t layers;
} any_piece;

typedef struct any_body {
    int count, room;
    any_piece *piece;
    bool unsupported; /* rounded, and under a scale that is not uniform */
} any_body;

/* The triangles of a tree are taken from the mesh that it was built of, which has to be told. */
void any_know_mesh(const cd_bvh *tree, const cd_mesh_view *mesh);
void any_forget_meshes(void);

/* The pieces in the shape's frame; without those that share a layer with `ignore`. */
any_body any_open(const cd_shape *s, uint32_t ignore);
void any_pose(any_body *b, const cd_transform *pose);
/* Turned by a matrix of rows, then moved. */
void any_place(any_body *b, long double turn[3][3], const long double by[3]);
void any_copy(any_body *out, const any_body *b); /* `out` may hold an older copy */
void any_close(any_body *b);

/* The signed distance of A, moved by `by` (NULL: not), and B, of pieces i and j. Apart it is between lower and upper, a and b are that
 * near, and along the normal they are `lower` apart. Where cores overlap `meet` is true, and `lower` is some direction's. */
typedef struct any_gap {
    long double lower, upper, normal[3], a[3], b[3];
    bool meet;
    int i, j;
} any_gap;
any_gap any_near_pieces(const any_piece *a, const any_piece *b, const long double *by);
/* The least of all pairs; not deeper than the first pair found to meet. Nothing: an `upper` of infinity. */
any_gap any_near(const any_body *a, const any_body *b, const long double *by);
/* Is the signed distance at least (1) or at most (-1) the limit? 0 where that is not found out. `seed`: a direction to try, or NULL. */
int any_against(const any_piece *a, const any_piece *b, long double limit, const long double *seed);
truth any_pair_distance(const any_piece *a, const any_piece *b);
/* The signed distance of two bodies: the least of all pairs, deep ones by search. */
truth any_distance(const any_body *a, const any_body *b);

/* When A, going straight, first comes as near to B as `near`: a time that is not late; `hit` false: not up to `until`. */
typedef struct any_contact {
    bool hit, sure; /* sure: at t they are that near */
    long double t;
    any_gap gap; /* at t */
} any_contact;
any_contact any_first(const any_body *a, const long double motion[3], const any_body *b, long double near,
                      long double until);

/* The least n . (b - a) of two pieces along a direction of any length. */
long double any_along(const any_piece *a, const any_piece *b, const long double n[3]);
/* Smaller about its middle, by a share. */
void any_shrink(any_piece *p, long double share);
void any_set_point(any_piece *out, const long double p[3]);

/* How far a point is from the body, at least; 0 inside. And from its surface, when it is inside. */
long double any_off(const any_body *b, const long double p[3]);
long double any_off_surface(const any_piece *b, const long double p[3], const long double *seed);

#endif
