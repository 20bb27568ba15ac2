#ifndef PLUGHOST_CMEMORY_H
#define PLUGHOST_CMEMORY_H

// The part of glibc that Swift's Glibc module leaves out.
#include <malloc.h>

/// Gives the pages of executable code back to the system: nobody has written to them, and a later access reads them
/// again from their files.
void plughost_forget_code(void);

#endif
