/* convex_truth.h - the references for two convex bodies: how far they are apart, or how deep in each other.
 *
 * The signed distance is the most, over all directions n, of the least n . w over all w = b - a. Two slow ways to it, in long double
 * and with support functions of their own: all pairs of features of bodies with few corners, and a search over the whole sphere of
 * directions that bounds what it leaves out, for any body. And a judge of what the library answers. Nothing is shared with the library.
 */
#ifndef CONVEX_TRUTH_H
#define CONVEX_TRUTH_H

#include "test.h"

enum { TRUTH_CORNERS = 300, TRUTH_FEW = 12 };

typedef enum truth_kind { TRUTH_POINTS, TRUTH_FRUSTUM, TRUTH_BALL, TRUTH_RIMS, TRUTH_BALLS } truth_kind;

/* A core and its rounding. Of points: the corners; of what lies between two discs: the centers of these, the unit axis in half[0] and
 * r; of the image of a ball: its center, and the half axes. Boxes have half axes and their eight corners. Of what lies between two
 * ellipses: the centers of these, and two half axes of each; of one or two images of balls: the centers, the half axes of the image of a
 * ball of radius 1, and r. */
typedef struct truth_body {
    truth_kind kind;
    bool box, user;
    int count;
    long double corner[TRUTH_CORNERS][3], middle[3], half[3][3], r[2], rim[2][2][3];
    long double radius, extent; /* no two points are farther apart than the extent */
} truth_body;

/* Both as seen from `origin`, in the frame of A, and measured in units of a power of two. */
typedef struct truth_pair {
    truth_body a, b;
    double origin[3];
    double
        given; /* no coordinate of either in its own frame, and none of the pose, is larger; 0 where the caller has set the bodies */
    long double unit, reach; /* no b - a is longer than the reach */
} truth_pair;

/* Bodies of functions are the support that `user` points at. */
void truth_open(truth_pair *out, const cd_support *a, const cd_support *b, const cd_transform *b_in_a);

/* The same where the caller has set both bodies, in one frame. */
void truth_open_bodies(truth_pair *out);
/* The body of a support, in its own frame; what `user` points at is a support, too, and tells what the function does. */
void truth_body_of(truth_body *out, const cd_support *s);
/* Takes a body to where a pose leads it. */
void truth_pose(truth_body *b, const cd_transform *pose);
/* The point of the core that is farthest along a direction of any length. */
void truth_farthest(const truth_body *b, const long double n[3], long double out[3]);

/* The signed distance is in lower ... upper; along the normal the bodies are at least `lower` apart. */
typedef struct truth {
    long double lower, upper, normal[3];
} truth;

/* For corners, few of them: every corner against the triangle of any three, any edge against any edge. */
truth truth_by_features(const truth_pair *p);
/* For anything: looks at directions until the bounds agree, or so many have been tried. `seed`: try that, too, or NULL. */
truth truth_by_search(const truth_pair *p, const long double seed[3], int tries);
/* The same, ended as soon as it is known on which side of `limit` the signed distance is. */
truth truth_about(const truth_pair *p, const long double seed[3], int tries, long double limit);
/* The better of them. */
truth truth_of(const truth_pair *p);

/* The least n . (b - a) of the rounded bodies along a direction of any length but 0. */
long double truth_along(const truth_pair *p, const double n[3]);
/* Is a point, of A's frame, in the rounded body, or no farther from it than the margin? */
bool truth_holds(const truth_pair *p, const truth_body *body, const double point[3], double margin);
/* What a gap may be: 1e-6 or 1e-12 of the extent or the distance; and what rounding of doubles does to the coordinates, as they
 * are given and as they are placed, or of the directions that a function of the user is asked in. */
double truth_tolerance(const truth_pair *p, double distance);

/* Checks an answer: a unit normal, points of both bodies, as far apart as it says, along the normal; along it the bodies are
 * no nearer; and the gap is what is promised, or with `loose` anything. Apart, that proves it. Returns whether all held. */
bool truth_judge(const truth_pair *p, const cd_separation *s, bool loose);
/* And the signed distance is within the gap of it. */
bool truth_judge_against(const truth_pair *p, const cd_separation *s, const truth *t);

#endif
