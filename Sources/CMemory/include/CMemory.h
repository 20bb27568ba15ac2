#ifndef PLUGHOST_CMEMORY_H
#define PLUGHOST_CMEMORY_H

// The part of glibc that Swift's Glibc module leaves out.
#include <malloc.h>

/// Asks the processor to fetch the memory at `address`, which need not be readable, and does not wait for it.
static inline void plughost_prefetch(const void *_Nonnull address) { __builtin_prefetch(address); }

/// Gives the pages of executable code back to the system: clean pages of files, which a later access reads again.
void plughost_forget_code(void);

#endif
