#define _GNU_SOURCE
#include "CThreads.h"

#include <sched.h>
#include <sys/prctl.h>

void plughost_name_thread(const char *name) {
    prctl(PR_SET_NAME, name);
}

int plughost_usable_processors(void) {
    cpu_set_t usable;
    // Fails only if the machine has more processors than the set has bits.
    if (sched_getaffinity(0, sizeof usable, &usable) != 0) return CPU_SETSIZE;
    const int count = CPU_COUNT(&usable);
    return count > 0 ? count : 1;
}
