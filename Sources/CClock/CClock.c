#include "CClock.h"

// Not in the header: there its types would be this module's, and Swift's Glibc has them too.
#include <sys/timex.h>

int plughost_clock_is_kept(void) {
    // adjtimex(2) that changes nothing (`modes` is 0) needs no rights.
    struct timex state = {0};
    if (adjtimex(&state) < 0) return -1;
    return (state.status & STA_UNSYNC) == 0;
}
