#ifndef PLUGHOST_CCLOCK_SHIM_H
#define PLUGHOST_CCLOCK_SHIM_H

#include <sys/timex.h>

/// Whether something keeps the machine's clock right, such as systemd-timesyncd: 1, 0, or -1 where the kernel does not say.
///
/// adjtimex(2) that changes nothing (`modes` is 0) needs no rights.
static inline int plughost_clock_is_kept(void) {
    struct timex state = {0};
    if (adjtimex(&state) < 0) return -1;
    return (state.status & STA_UNSYNC) == 0;
}

#endif
