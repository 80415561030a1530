#pragma once
/* executor: the user's threads and progress bar, for long builds. */

#include "core/config.h"

/// How a builder runs parallel loops and tells its progress; the zero object means: one thread, no report.
///
/// `run` calls `task(ctx, i)` once for every `i` below `count`, in any order and on any threads, and returns when
/// all are done. `progress` is called from the builder's own thread with a fraction that grows from 0 to 1;
/// false cancels the build. The result has the same bytes for every executor.
typedef struct cd_executor {
    void *user;
    void (*run)(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx);
    bool (*progress)(void *user, float done);
} cd_executor;
