/* The main program of the hygiene scripts: runs use.c as it was compiled; with BOTH, a float and a double build. */
#include "switches.h"
#include "use.h"

int main(void) {
    int wrong = 0;
#if !defined(COLLIDE_DOUBLE) || defined(BOTH)
    wrong += use_float();
#endif
#if defined(COLLIDE_DOUBLE) || defined(BOTH)
    wrong += use_double();
#endif
    return wrong != 0;
}
