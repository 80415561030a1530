#include "core/config.h"
#include "core/platform.h"

CD_API uint32_t cd_version(void) {
    return CD_VERSION;
}
