/* Time of impact: a spinning blade and a tumbling capsule pass between two frames. Tests at the ends of the step, or at a few times
 * within it, see nothing of that; cd_time_of_impact tells when, where and how they first touch.
 *
 *     cc -O2 examples/time_of_impact.c -I. -o time_of_impact && ./time_of_impact */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <stdio.h>

enum { WIDTH = 72, HEIGHT = 22, FEW = 8 };

/* A blade with a point at both ends, and a capsule; each in its own frame. */
static const cd_vec3 corners[8] = {{-4, 0, 0},        {4, 0, 0},        {-3, 0.2f, 0.3f}, {3, 0.2f, 0.3f},
                                   {-3, 0.2f, -0.3f}, {3, 0.2f, -0.3f}, {-3, -0.2f, 0},   {3, -0.2f, 0}};
static cd_hull blade;
static cd_capsule pill;
static cd_motion spin, tumble;

/* Places in the plane, with a turn about z that is told by its half angle's sine and cosine. */
static cd_transform pose(float x, float y, float sine, float cosine) {
    cd_transform p = cd_transform_identity();
    p.position = cd_vec3_make(x, y, 0);
    p.rotation.z = sine;
    p.rotation.w = cosine;
    return p;
}

static void make_scene(void) {
    cd_transform blade_from = pose(-2, 0, 0, 1), blade_to = pose(-1, 0, 1, 0.05f); /* almost half a turn */
    cd_transform pill_from = pose(-5, 4.5f, 0.3f, 0.954f), pill_to = pose(15, 1, -0.6f, 0.8f);
    cd_hull3_build(&blade, corners, 8, NULL);
    pill.a = cd_vec3_make(-0.8f, 0, 0);
    pill.b = cd_vec3_make(0.8f, 0, 0);
    pill.radius = 0.3f;
    cd_motion_make(CD_MOTION_BOTH, &blade_from, &blade_to, &spin);
    cd_motion_make(CD_MOTION_BOTH, &pill_from, &pill_to, &tumble);
}

/* The point of a character of the picture: x from -9 to 9, y from 5.5 to -5.5. */
static cd_vec3 place(int column, int row) {
    return cd_vec3_make((float)(column - WIDTH / 2) * 0.25f + 0.125f,
                        (float)(HEIGHT / 2 - row) * 0.5f - 0.25f, 0);
}

static int in_blade(cd_vec3 p, const cd_transform *at) {
    return cd_test_point_hull(cd_transform_inverse_point(at, p), &blade);
}

static int in_pill(cd_vec3 p, const cd_transform *at) {
    return cd_test_point_capsule(cd_transform_inverse_point(at, p), &pill);
}

/* Is a corner of the picture's net within this character? */
static int covers(int (*in)(cd_vec3, const cd_transform *), int column, int row, const cd_transform *at) {
    for (int i = 0; i < 9; ++i) {
        cd_vec3 p = place(column, row);
        p.x += (float)(i % 3 - 1) * 0.08f;
        p.y += (float)(i / 3 - 1) * 0.16f;
        if (in(p, at)) return 1;
    }
    return 0;
}

static int marks(cd_vec3 p, int column, int row) {
    cd_vec3 at = place(column, row);
    float x = p.x - at.x, y = p.y - at.y;
    return x >= -0.125f && x < 0.125f && y >= -0.25f && y < 0.25f;
}

/* Both bodies at time t in the plane z = 0; the contact, where there is one, as a star, and its normal as dots. */
static void draw(float t, const cd_impact *contact) {
    cd_transform blade_at = cd_motion_pose(&spin, t), pill_at = cd_motion_pose(&tumble, t);
    printf("\nt = %.4f\n", (double)t);
    for (int row = 0; row < HEIGHT; ++row) {
        char line[WIDTH + 1];
        int end = 0;
        for (int column = 0; column < WIDTH; ++column) {
            char c = covers(in_blade, column, row, &blade_at) ? '#'
                     : covers(in_pill, column, row, &pill_at) ? 'o'
                                                              : ' ';
            for (int i = 8; contact && i >= 0; --i) {
                cd_vec3 p = cd_vec3_add(contact->a, cd_vec3_scale(contact->normal, (float)i * 0.25f));
                if (marks(p, column, row)) c = i == 0 ? '*' : '.';
            }
            line[column] = c;
            if (c != ' ') end = column + 1;
        }
        line[end] = 0;
        puts(line);
    }
}

int main(void) {
    cd_support a, b;
    cd_impact first;
    int seen = 0;
    make_scene();
    a = cd_support_of_hull(&blade);
    b = cd_support_of_capsule(&pill);
    for (int i = 0; i <= FEW; ++i) {
        cd_transform in_blade_frame = cd_motion_relative_pose(&tumble, &spin, (float)i / FEW);
        seen += cd_convex_distance(&a, &b, &in_blade_frame, NULL, NULL).distance <= 0;
    }
    first = cd_time_of_impact(&a, &spin, &b, &tumble, NULL);
    printf("%d of %d tests along the way see them touch\n", seen, FEW + 1);
    if (first.hit) {
        printf("they touch at t = %.4f, at (%.3f, %.3f), normal (%.3f, %.3f)\n", (double)first.t,
               (double)first.a.x, (double)first.a.y, (double)first.normal.x, (double)first.normal.y);
        draw(0, NULL);
        draw(0.5f * (float)first.t, NULL);
        draw((float)first.t, &first);
    }
    cd_hull_destroy(&blade);
    return 0;
}
