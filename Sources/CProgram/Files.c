#define _GNU_SOURCE
#include "CProgram.h"

#include <fcntl.h>
#include <fts.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int plughost_pipe(int ends[2], int room) {
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    // Refused above /proc/sys/fs/pipe-max-size: then it has the usual room.
    if (room > 0) fcntl(ends[0], F_SETPIPE_SZ, room);
    return 0;
}

int plughost_pipe_room(int end) { return fcntl(end, F_GETPIPE_SZ); }

int plughost_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int plughost_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

void plughost_remove_tree(const char *folder) {
    char *const paths[] = {(char *)folder, NULL};
    // fts_close(3) frees all there is; fts_open(3) changes no path.
    FTS *walk = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
    if (walk == NULL) return;
    FTSENT *entry;
    while ((entry = fts_read(walk)) != NULL) {
        switch (entry->fts_info) {
        case FTS_D: chmod(entry->fts_accpath, 0700); break;
        case FTS_DP: rmdir(entry->fts_accpath); break;
        default: unlink(entry->fts_accpath);
        }
    }
    fts_close(walk);
}
