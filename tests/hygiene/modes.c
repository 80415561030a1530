/* cd_selftest in the machine's modes: prints what it says in each, and the flag that it should. */
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#include <fenv.h>
#include <stdio.h>
#if defined(__SSE2__)
#include <pmmintrin.h>
#endif

static int wrong;

static void expect(const char *mode, uint32_t want) {
    uint32_t got = cd_selftest();
    bool right = want ? (got & want) != 0 : got == 0;
    printf("%s: got %u, wanted %u%s\n", mode, (unsigned)got, (unsigned)want, right ? "" : ": wrong");
    wrong += !right;
}

int main(void) {
    expect("default", 0);
    fesetround(FE_UPWARD);
    expect("upward", CD_SELFTEST_ROUNDING);
    fesetround(FE_DOWNWARD);
    expect("downward", CD_SELFTEST_ROUNDING);
    fesetround(FE_TOWARDZERO);
    expect("toward zero", CD_SELFTEST_ROUNDING);
    fesetround(FE_TONEAREST);
#if defined(__SSE2__)
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
    expect("flush to zero", CD_SELFTEST_FLUSH_TO_ZERO);
    _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_OFF);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
    expect("denormals are zero", CD_SELFTEST_FLUSH_TO_ZERO);
    _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_OFF);
#elif defined(__aarch64__)
    {
        uint64_t usual;
        __asm__ volatile("mrs %0, fpcr" : "=r"(usual));
        __asm__ volatile("msr fpcr, %0" ::"r"(usual | (1u << 24)));
        expect("flush to zero", CD_SELFTEST_FLUSH_TO_ZERO);
        __asm__ volatile("msr fpcr, %0" ::"r"(usual));
    }
#endif
    expect("default again", 0);
    return wrong != 0;
}
