#define _GNU_SOURCE
#include "Internal.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The paths that are made here are short: "/proc/N/task/N/children".
static char *append(char *at, const char *text) {
    size_t length = strlen(text);
    memcpy(at, text, length + 1);
    return at + length;
}

static char *append_number(char *at, pid_t number) {
    char digits[12];
    int count = 0;
    do digits[count++] = (char)('0' + number % 10); while ((number /= 10) > 0);
    while (count > 0) *at++ = digits[--count];
    *at = 0;
    return at;
}

static const char *end_of(const char *text, const char *line) {
    const char *found = strstr(text, line);
    return found == NULL ? NULL : found + strlen(line);
}

/// RssAnon and RssShmem of proc_pid_status(5): what a process has for itself.
static uint64_t memory_of(pid_t process) {
    char path[64], text[4096];
    append(append_number(append(path, "/proc/"), process), "/status");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    uint64_t sum = 0;
    const char *const lines[] = {"\nRssAnon:", "\nRssShmem:"};
    for (int which = 0; which < 2; which++) {
        const char *at = end_of(text, lines[which]);
        if (at == NULL) continue;
        while (*at == ' ' || *at == '\t') at++;
        uint64_t kibibytes = 0;
        for (; *at >= '0' && *at <= '9'; at++) kibibytes = kibibytes * 10 + (uint64_t)(*at - '0');
        sum += kibibytes * 1024;
    }
    return sum;
}

static void add_children_of_thread(struct plughost_family *family, const char *folder, const char *thread) {
    char path[64], text[4096];
    append(append(append(append(path, folder), "/"), thread), "/children");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    pid_t number = 0;
    ssize_t length;
    while ((length = read(file, text, sizeof text)) > 0) {
        for (ssize_t index = 0; index < length; index++) {
            if (text[index] >= '0' && text[index] <= '9') {
                number = number * 10 + (text[index] - '0');
            } else if (number > 0) {
                int limit = (int)(sizeof family->members / sizeof family->members[0]);
                if (family->count < limit) family->members[family->count++] = number;
                number = 0;
            }
        }
    }
    close(file);
}

/// What getdents64(2) gives.
struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

/// Each thread has children of its own.
static void add_children(struct plughost_family *family, pid_t process) {
    char folder[32];
    append(append_number(append(folder, "/proc/"), process), "/task");
    int threads = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (threads < 0) return;
    char list[4096] __attribute__((aligned(8)));
    long length;
    while ((length = syscall(SYS_getdents64, threads, list, sizeof list)) > 0) {
        for (long at = 0; at < length;) {
            const struct entry *entry = (const struct entry *)(list + at);
            if (entry->name[0] >= '0' && entry->name[0] <= '9' && strlen(entry->name) <= 10) {
                add_children_of_thread(family, folder, entry->name);
            }
            at += entry->length;
        }
    }
    close(threads);
}

void plughost_find_family(struct plughost_family *family, int with_memory) {
    family->count = 0;
    family->memory = 0;
    add_children(family, getpid());
    for (int at = 0; at < family->count; at++) {
        if (with_memory) family->memory += memory_of(family->members[at]);
        add_children(family, family->members[at]);
    }
}

/// A number in hexadecimal, and where it ends.
static const char *read_address(const char *at, uintptr_t *number) {
    for (*number = 0;; at++) {
        if (*at >= '0' && *at <= '9') *number = *number * 16 + (uintptr_t)(*at - '0');
        else if (*at >= 'a' && *at <= 'f') *number = *number * 16 + (uintptr_t)(*at - 'a' + 10);
        else return at;
    }
}

void plughost_drop_inherited_memory(void) {
    // Private memory without a file, of a size that nothing has which glibc needs for the calls of this process: its stack, which is
    // left out by where it lies, holds what belongs to its thread as well. Else each page that the parent writes to would be kept a
    // second time for as long as the program lives.
    int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    char text[8192];
    size_t kept = 0;
    ssize_t length;
    uintptr_t here = (uintptr_t)&text;
    while ((length = read(file, text + kept, sizeof text - 1 - kept)) > 0) {
        size_t end = kept + (size_t)length;
        text[end] = 0;
        char *line = text, *next;
        while ((next = strchr(line, '\n')) != NULL) {
            *next = 0;
            uintptr_t from, to, inode;
            const char *at = read_address(line, &from);
            at = read_address(at + 1, &to);
            int is_private = strncmp(at, " rw-p ", 6) == 0;
            // offset, device, inode, perhaps a name
            const char *fields = is_private ? strchr(at + 6, ' ') : NULL;
            fields = fields == NULL ? NULL : strchr(fields + 1, ' ');
            if (fields != NULL) {
                at = read_address(fields + 1, &inode);
                while (*at == ' ') at++;
                int is_heap = *at == 0 || strcmp(at, "[heap]") == 0 || strncmp(at, "[anon:", 6) == 0;
                if (is_heap && inode == 0 && to - from >= 1 << 20 && !(from <= here && here < to)) {
                    madvise((void *)from, to - from, MADV_DONTNEED);
                }
            }
            line = next + 1;
        }
        kept = (size_t)(text + end - line);
        memmove(text, line, kept);
        if (kept >= sizeof text - 1) break;
    }
    close(file);
}
