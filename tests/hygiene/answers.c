/* One number for many answers of the library, and what cd_selftest says: shows whether the flags that answers_library.c was
 * compiled with changed anything. This file itself is compiled without them. */
#include "answers.h"
#include <stdio.h>

static uint64_t answers_state = 1, answers_hash = 14695981039346656037u;

/* Small whole numbers, for ties and zeros of both signs, or numbers with all their bits. */
static cd_real answers_number(bool whole) {
    answers_state = answers_state * 6364136223846793005u + 1442695040888963407u;
    if (whole) {
        double i = (double)(int)(answers_state >> 60) - 8.0;
        return (cd_real)(i == 0.0 ? -0.0 : i);
    }
    return (cd_real)((double)(answers_state >> 11) / 1125899906842624.0 - 4.0);
}

static cd_vec3 answers_vec(bool whole) {
    cd_vec3 v;
    v.x = answers_number(whole);
    v.y = answers_number(whole);
    v.z = answers_number(whole);
    return v;
}

void answers_add(cd_real x) {
    const unsigned char *p = (const unsigned char *)&x;
    if (x != x) x = 99;
    for (size_t i = 0; i < sizeof x; ++i) answers_hash = (answers_hash ^ p[i]) * 1099511628211u;
}

void answers_add_vec(cd_vec3 v) {
    answers_add(v.x);
    answers_add(v.y);
    answers_add(v.z);
}

static void answers_round(bool whole) {
    answers_question q;
    q.a.a = answers_vec(whole), q.a.b = answers_vec(whole), q.a.c = answers_vec(whole);
    q.b.a = answers_vec(whole), q.b.b = answers_vec(whole), q.b.c = answers_vec(whole);
    q.ray.origin = answers_vec(whole), q.ray.dir = answers_vec(whole);
    q.sphere.center = answers_vec(whole), q.sphere.radius = 2;
    q.pose = answers_pose(q.a.a, q.b.b, q.a.b);
    q.box.center = q.b.c, q.box.axes = answers_axes(q.pose.rotation), q.box.half = cd_vec3_make(1, 2, 3);
    answers_ask(&q);
}

int main(void) {
    for (int i = 0; i < 20000; ++i) answers_round(i % 2 == 0);
    printf("selftest %u answers %016llx\n", (unsigned)answers_selftest(), (unsigned long long)answers_hash);
    return 0;
}
