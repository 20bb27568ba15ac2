// For fallocate.
#define _GNU_SOURCE
#include "CMemory.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/mman.h>

void *plughost_mmap_allocated(void *address, size_t length, int protection, int flags, int file, off_t offset) {
    if (file >= 0 && (protection & PROT_WRITE) && (flags & MAP_SHARED)) {
        int result;
        // fallocate(2), not posix_fallocate(3): where the file system cannot do it, that one writes into the blocks, which
        // another process may be using. It keeps what is there, and blocks that are there already cost nothing.
        do { result = fallocate(file, 0, offset, (off_t)length); } while (result != 0 && errno == EINTR);
        if (result != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EIO)) { return MAP_FAILED; }
    }
    return mmap(address, length, protection, flags, file, offset);
}

// SQLITE_MISUSE, which comes after initialisation, changes nothing.
void plughost_sqlite_stop_counting_memory(void) { (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
