#include "core/status.h"
#include "core/platform.h"

CD_API const char *cd_status_text(cd_status status) {
    switch (status) {
    case CD_OK: return "done";
    case CD_INVALID_ARGUMENT: return "an input breaks the stated conditions";
    case CD_OUT_OF_MEMORY: return "out of memory";
    case CD_TOO_LARGE: return "too large";
    case CD_CANCELLED: return "cancelled by the progress callback";
    case CD_NOT_CONVERGED: return "not converged; the stated error bound holds";
    case CD_UNSUPPORTED: return "not supported for these objects or in this build";
    case CD_CORRUPT: return "the stored bytes are corrupt";
    }
    return "unknown status";
}
