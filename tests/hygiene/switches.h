/* What a user may put before collide.h: each WITH_<switch> of the compiler's command line turns one on. use.c has the
 * functions named here. */
#ifndef SWITCHES_H
#define SWITCHES_H

#ifdef WITH_DOUBLE
#define COLLIDE_DOUBLE
#endif
#ifdef WITH_STATIC
#define COLLIDE_STATIC
#endif
#ifdef WITH_NO_SIMD
#define COLLIDE_NO_SIMD
#endif
#ifdef WITH_NO_STDLIB
#define COLLIDE_NO_STDLIB
#endif
#ifdef WITH_NO_CLASSIC
#define COLLIDE_NO_CLASSIC
#endif
#ifdef WITH_API
#define COLLIDE_API __attribute__((visibility("default")))
#endif
#ifdef WITH_MALLOC
#define COLLIDE_MALLOC(size) use_alloc(size)
#define COLLIDE_FREE(p)      use_free(p)
#endif
#ifdef WITH_ASSERT
#define COLLIDE_ASSERT(condition) use_assert(condition)
#endif

/* Conversions from and to a vector of one's own; with a constructor, C++ asks for the other two. */
#if defined(WITH_VEC3_EXTRA) && defined(__cplusplus)
struct use_vector {
    double v[3];
};
#define COLLIDE_VEC3_EXTRA                                                                                   \
    cd_vec3() = default;                                                                                     \
    cd_vec3(cd_real a, cd_real b, cd_real c) : x(a), y(b), z(c) {                                            \
    }                                                                                                        \
    cd_vec3(const use_vector &u) : x(cd_real(u.v[0])), y(cd_real(u.v[1])), z(cd_real(u.v[2])) {              \
    }                                                                                                        \
    operator use_vector() const {                                                                            \
        return {{double(x), double(y), double(z)}};                                                          \
    }
#endif

#endif
