#include "test.h"
static void smoke(void) {
    CHECK(true);
}
void suite_box_manifold(void) {
    RUN(smoke);
}
