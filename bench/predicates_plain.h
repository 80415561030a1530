/* predicates_plain.h - the determinants in plain double, of floats (PLAIN_FLOATS) or of doubles: what one pays without
 * asking for the right sign. Plain functions of a file of their own, as the library's are. */
#ifndef BENCH_PREDICATES_PLAIN_H
#define BENCH_PREDICATES_PLAIN_H

#ifdef PLAIN_FLOATS
typedef float plain_real;
#define PLAIN(name) name##_f32
#else
typedef double plain_real;
#define PLAIN(name) name##_f64
#endif

typedef struct plain_vec2 {
    plain_real x, y;
} plain_vec2;
typedef struct plain_vec3 {
    plain_real x, y, z;
} plain_vec3;

double PLAIN(plain_orient2d)(plain_vec2 a, plain_vec2 b, plain_vec2 c);
double PLAIN(plain_orient3d)(plain_vec3 a, plain_vec3 b, plain_vec3 c, plain_vec3 d);
double PLAIN(plain_incircle)(plain_vec2 a, plain_vec2 b, plain_vec2 c, plain_vec2 d);
double PLAIN(plain_insphere)(plain_vec3 a, plain_vec3 b, plain_vec3 c, plain_vec3 d, plain_vec3 e);

#endif
