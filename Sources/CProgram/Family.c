#define _GNU_SOURCE
#include "Internal.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The paths that are made here are short: "/proc/N/task/N/children".
char *plughost_append(char *at, const char *text) {
    size_t length = strlen(text);
    memcpy(at, text, length + 1);
    return at + length;
}

char *plughost_append_number(char *at, pid_t number) {
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

/// What getdents64(2) gives.
struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

/// A line of proc_pid_maps(5).
struct mapping {
    uintptr_t from, to, inode;
    const char *permissions;
    const char *name;
};

/// A number in hexadecimal, and where it ends.
static const char *read_address(const char *at, uintptr_t *number) {
    for (*number = 0;; at++) {
        if (*at >= '0' && *at <= '9') *number = *number * 16 + (uintptr_t)(*at - '0');
        else if (*at >= 'a' && *at <= 'f') *number = *number * 16 + (uintptr_t)(*at - 'a' + 10);
        else return at;
    }
}

/// "from-to permissions offset device inode   name"; 0 if it is something else.
static int read_mapping(const char *line, struct mapping *mapping) {
    const char *at = read_address(line, &mapping->from);
    if (*at != '-') return 0;
    at = read_address(at + 1, &mapping->to);
    if (*at != ' ') return 0;
    mapping->permissions = at + 1;
    for (int skipped = 0; skipped < 3; skipped++) {
        at = strchr(at + 1, ' ');
        if (at == NULL) return 0;
    }
    // In decimal, but here it only tells one file from others.
    at = read_address(at + 1, &mapping->inode);
    while (*at == ' ') at++;
    mapping->name = at;
    return 1;
}

/// Calls `body` for each mapping of a process.
static void each_mapping(const char *path, void (*body)(const struct mapping *, void *), void *context) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    char text[8192];
    size_t kept = 0;
    ssize_t length;
    while ((length = read(file, text + kept, sizeof text - 1 - kept)) > 0) {
        size_t end = kept + (size_t)length;
        text[end] = 0;
        char *line = text, *next;
        struct mapping mapping;
        while ((next = strchr(line, '\n')) != NULL) {
            *next = 0;
            if (read_mapping(line, &mapping)) body(&mapping, context);
            line = next + 1;
        }
        kept = (size_t)(text + end - line);
        memmove(text, line, kept);
        if (kept >= sizeof text - 1) break;
    }
    close(file);
}

static char *append_process(char *at, pid_t process) { return plughost_append_number(plughost_append(at, "/proc/"), process); }

/// A value of proc_pid_status(5), in bytes.
static uint64_t value_of(const char *text, const char *line) {
    const char *at = end_of(text, line);
    if (at == NULL) return 0;
    while (*at == ' ' || *at == '\t') at++;
    uint64_t kibibytes = 0;
    for (; *at >= '0' && *at <= '9'; at++) kibibytes = kibibytes * 10 + (uint64_t)(*at - '0');
    return kibibytes * 1024;
}

/// Memory that several processes can share, without a file. It stays for as long as one of them maps it, and a process can make its
/// own share of it look empty. So it counts with its size, once.
struct shared {
    struct plughost_family *family;
    uint64_t sum;
};

static void add_shared(const struct mapping *mapping, void *context) {
    struct shared *shared = context;
    // Every mapping with MAP_SHARED and MAP_ANONYMOUS has this name, and so has a shared one of /dev/zero itself.
    if (mapping->permissions[3] != 's' || strcmp(mapping->name, "/dev/zero (deleted)") != 0) return;
    struct plughost_family *family = shared->family;
    for (int at = 0; at < family->shared_count; at++) {
        if (family->shared[at] == mapping->inode) return;
    }
    int limit = (int)(sizeof family->shared / sizeof family->shared[0]);
    if (family->shared_count < limit) family->shared[family->shared_count++] = mapping->inode;
    shared->sum += mapping->to - mapping->from;
}

/// How many descriptors a process has open.
static uint64_t descriptors_of(pid_t process) {
    char path[64];
    plughost_append(append_process(path, process), "/fd");
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return 0;
    uint64_t count = 0;
    char list[4096] __attribute__((aligned(8)));
    long length;
    while ((length = syscall(SYS_getdents64, folder, list, sizeof list)) > 0) {
        for (long at = 0; at < length; at += ((const struct entry *)(list + at))->length) count++;
    }
    close(folder);
    return count;
}

/// How many descriptors a process may have before they count as memory, and as how much each counts: what the system keeps at most
/// for a socket whose buffers cannot be made larger (net.core.wmem_default).
enum { FREE_DESCRIPTORS = 64, DESCRIPTOR_MEMORY = 208 << 10 };

/// What a process makes the system keep: its private memory, the tables of its pages, memory that it shares, and what is in its
/// sockets and pipes.
static uint64_t memory_of(struct plughost_family *family, pid_t process) {
    char path[64], text[4096];
    plughost_append(append_process(path, process), "/status");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return 0;
    text[length] = 0;
    struct shared shared = {family, 0};
    plughost_append(append_process(path, process), "/maps");
    each_mapping(path, add_shared, &shared);
    uint64_t resident = value_of(text, "\nRssShmem:"), descriptors = descriptors_of(process);
    return value_of(text, "\nRssAnon:") + value_of(text, "\nVmPTE:")
        + (resident > shared.sum ? resident : shared.sum)
        + (descriptors > FREE_DESCRIPTORS ? (descriptors - FREE_DESCRIPTORS) * DESCRIPTOR_MEMORY : 0);
}

static void add_children_of_thread(struct plughost_family *family, const char *folder, const char *thread) {
    char path[64], text[4096];
    plughost_append(plughost_append(plughost_append(plughost_append(path, folder), "/"), thread), "/children");
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    pid_t number = 0;
    ssize_t length;
    while ((length = read(file, text, sizeof text)) > 0) {
        for (ssize_t index = 0; index < length; index++) {
            if (text[index] >= '0' && text[index] <= '9') {
                number = number * 10 + (text[index] - '0');
            } else if (number > 0) {
                if (family->count < family->most) family->members[family->count++] = number;
                number = 0;
            }
        }
    }
    close(file);
}

/// Each thread has children of its own.
static void add_children(struct plughost_family *family, pid_t process) {
    char folder[32];
    plughost_append(append_process(folder, process), "/task");
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

void plughost_find_family(struct plughost_family *family, int most) {
    int room = (int)(sizeof family->members / sizeof family->members[0]);
    family->most = most > 0 && most < room ? most : room;
    family->count = 0;
    add_children(family, getpid());
    for (int at = 0; at < family->count && family->count < family->most; at++) add_children(family, family->members[at]);
}

void plughost_measure_family(struct plughost_family *family) {
    family->memory = 0;
    family->shared_count = 0;
    for (int at = 0; at < family->count; at++) family->memory += memory_of(family, family->members[at]);
}

/// Gives back a mapping of private memory without a file, large enough that glibc needs nothing in it for the calls of this process.
/// The stack, which is left out by where it lies, holds what belongs to its thread as well.
static void drop(const struct mapping *mapping, void *stack) {
    uintptr_t here = (uintptr_t)stack;
    const char *name = mapping->name;
    int is_heap = *name == 0 || strcmp(name, "[heap]") == 0 || strncmp(name, "[anon:", 6) == 0;
    if (strncmp(mapping->permissions, "rw-p ", 5) == 0 && is_heap && mapping->inode == 0
        && mapping->to - mapping->from >= 1 << 20 && !(mapping->from <= here && here < mapping->to)) {
        madvise((void *)mapping->from, mapping->to - mapping->from, MADV_DONTNEED);
    }
}

void plughost_drop_inherited_memory(void) {
    // Else each page that the parent writes to would be kept a second time for as long as the program lives.
    char here;
    each_mapping("/proc/self/maps", drop, &here);
}
