/* any_judge.h - calls the library for two shapes, and checks what it says by the references of any_truth.h. */
#ifndef ANY_JUDGE_H
#define ANY_JUDGE_H

#include "any_truth.h"

/* Two shapes, and what is known of them, in A's frame. */
typedef struct any_scene {
    const cd_shape *a, *b;
    const cd_transform *b_in_a;
    cd_shape_options options; /* for all calls; their masks are heeded */
    any_body ta, tb, b_own;   /* b_own: in B's frame */
} any_scene;

void any_scene_open(any_scene *s, const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                    const cd_shape_options *options);
void any_scene_close(any_scene *s);
/* Names the shapes, and shows the numbers. */
void any_note(const any_scene *s, const char *what);

void any_judge_distance(const any_scene *s);
void any_judge_closest(const any_scene *s);
void any_judge_test(const any_scene *s);
void any_judge_collide(const any_scene *s);
void any_judge_sweep(const any_scene *s, cd_vec3 motion);
/* A's motion and B's: the pose of the scene is not looked at. */
void any_judge_impact(const any_scene *s, const cd_motion *motion_a, const cd_motion *motion_b);
/* Of A alone. */
void any_judge_ray(const any_scene *s, const cd_ray *r, cd_real t_max);
void any_judge_aabb(const any_scene *s, const cd_transform *pose);
void any_judge_support(const any_scene *s, cd_vec3 dir);
/* Against sums over a net of n by n lines. */
void any_judge_mass(const any_scene *s, int n);

/* Can a call be asked of two types, as the documentation has it? */
cd_status any_can(uint32_t call, uint32_t a, uint32_t b);

#endif
