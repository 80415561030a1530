#pragma once
/* status: how a builder or an iterative query ended. */

#include "core/config.h"

/// How a call ended.
typedef enum cd_status {
    CD_OK = 0,           ///< done, and right
    CD_INVALID_ARGUMENT, ///< an input breaks the call's stated conditions; nothing was done
    CD_OUT_OF_MEMORY,    ///< the allocator gave no memory; nothing is left allocated
    CD_TOO_LARGE,        ///< a count or size is beyond what the call can hold
    CD_CANCELLED,        ///< the progress callback asked to stop; nothing is left allocated
    CD_NOT_CONVERGED,    ///< an iteration met its bound; the result's own error bound still holds
    CD_UNSUPPORTED,      ///< the question has no answer for these kinds of objects, or for this build
    CD_CORRUPT           ///< stored bytes are not what they should be
} cd_status;

/// One English sentence for a status; never NULL, for any value.
CD_API const char *cd_status_text(cd_status status);
