/* What answers.c asks, and answers_library.c answers: the first is compiled as usual, the second with the flags in question. */
#ifndef ANSWERS_H
#define ANSWERS_H

#include "collide.h"

typedef struct answers_question {
    cd_triangle a, b;
    cd_ray ray;
    cd_sphere sphere;
    cd_transform pose;
    cd_obb box;
} answers_question;

/* Of answers_library.c; it does no arithmetic of its own. */
void answers_ask(const answers_question *q);
uint32_t answers_selftest(void);
cd_transform answers_pose(cd_vec3 from, cd_vec3 to, cd_vec3 position);
cd_mat3 answers_axes(cd_quat rotation);

/* Of answers.c. */
void answers_add(cd_real x);
void answers_add_vec(cd_vec3 v);

#endif
