// For dl_iterate_phdr and fallocate.
#define _GNU_SOURCE
#include "CMemory.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

// The loader calls this for each object, on the caller's thread and holding its lock; 0 asks for the next one.
static int forget_code_of(struct dl_phdr_info *object, size_t size, void *unused) {
    (void)size;
    (void)unused;
    uintptr_t page = (uintptr_t)getpagesize();
    for (int at = 0; at < object->dlpi_phnum; at++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[at];
        if (segment->p_type != PT_LOAD || (segment->p_flags & (PF_X | PF_W)) != PF_X) { continue; }
        // A page that the segment has a part of only is kept: something else may have been written there.
        uintptr_t start = (object->dlpi_addr + segment->p_vaddr + page - 1) / page * page;
        uintptr_t end = (object->dlpi_addr + segment->p_vaddr + segment->p_memsz) / page * page;
        // A refusal costs memory and nothing else.
        if (start < end) { (void)madvise((void *)start, end - start, MADV_DONTNEED); }
    }
    return 0;
}

void plughost_forget_code(void) { (void)dl_iterate_phdr(forget_code_of, NULL); }

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
