#ifndef PLUGHOST_CPROGRAM_INTERNAL_H
#define PLUGHOST_CPROGRAM_INTERNAL_H

#include "CProgram.h"

// All of this runs in the child of a process with many threads: only what signal-safety(7) allows, no memory from the heap.

/// A cgroup for one program; without a folder if there is none.
struct plughost_cgroup {
    char folder[4096];
};

/// Becomes the program; does not return. How its processes are limited is written to `failure`, which is closed by exec, and then
/// what fails.
_Noreturn void plughost_become(
    const struct plughost_program *program, const struct plughost_cgroup *cgroup, pid_t keeper, int failure);

/// Moves this process into a user and a network namespace of its own and sends the listening socket there. 0, or a step with errno.
int plughost_enter_network(int socket, uint16_t port);

/// Makes a cgroup for a program of this process, inside its own. Without the permission there is none.
void plughost_make_cgroup(struct plughost_cgroup *cgroup);

/// Removes it, if nothing is in it any more.
void plughost_remove_cgroup(const struct plughost_cgroup *cgroup);

/// Whether RLIMIT_NPROC counts for this process.
int plughost_user_is_limited(void);

/// Sees to it that the processes of a sandbox can be limited, before it is begun: as they are, in the cgroup, or as another user.
/// One of `plughost_program_bound`.
int plughost_bound_processes(const struct plughost_program *program, const struct plughost_cgroup *cgroup);

/// Limits them, in the namespaces of the program. 0, or -1 with errno if nothing would hold.
int plughost_limit_processes(const struct plughost_program *program, int bound);

/// Appends a text, or a number; returns where the next begins.
char *plughost_append(char *at, const char *text);
char *plughost_append_number(char *at, pid_t number);

/// The processes below this one.
struct plughost_family {
    int count, most;
    uint64_t memory;
    pid_t members[4096];
    /// The inodes of memory that they share, each counted once.
    int shared_count;
    uintptr_t shared[256];
};

/// Finds the descendants of this process, nearest first, and no more than `most` of them. 0 is for all that there is room for,
/// which is above the limit of any program.
void plughost_find_family(struct plughost_family *family, int most);

/// Adds up what the found ones make the system keep.
void plughost_measure_family(struct plughost_family *family);

/// Gives back memory that the parent had and this process never reads. What is needed later has to be on the stack.
void plughost_drop_inherited_memory(void);

#endif
