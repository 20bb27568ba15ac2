#ifndef PLUGHOST_CMEMORY_H
#define PLUGHOST_CMEMORY_H

#include <sys/types.h>

/// mmap(2) of a file that makes sure before that the disk has room for every block of it: where a mapped file has holes
/// and the disk is full, the first access to a hole is SIGBUS. Fails as mmap does, with errno ENOSPC, EDQUOT or EIO.
void *plughost_mmap_allocated(void *address, size_t length, int protection, int flags, int file, off_t offset);

/// Lets SQLite allocate without counting what it has allocated. plughost does not use the count. Debian's SQLite has no lookaside
/// memory, so a small write makes some 200 allocations, each under one lock. Has no effect once SQLite is initialised.
///
/// A wrapper because the C function is variadic, which Swift cannot call. Not safe beside other calls of SQLite.
void plughost_sqlite_stop_counting_memory(void);

#endif
