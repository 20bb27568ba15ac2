#ifndef PLUGHOST_CPROGRAM_INTERNAL_H
#define PLUGHOST_CPROGRAM_INTERNAL_H

#include "CProgram.h"

// All of this runs in the child of a process with many threads: only what signal-safety(7) allows, no memory from the heap.

/// Becomes the program; does not return. What fails is written to `failure`, which is closed by exec.
_Noreturn void plughost_become(const struct plughost_program *program, pid_t keeper, int failure);

/// Moves this process into a user and a network namespace of its own and sends the listening socket there. 0, or a step with errno.
int plughost_enter_network(int socket, uint16_t port);

/// The processes below this one.
struct plughost_family {
    int count;
    uint64_t memory;
    pid_t members[4096];
    /// The inodes of memory that they share, each counted once.
    int shared_count;
    uintptr_t shared[256];
};

/// Finds the descendants of this process, nearest first. Processes that are not counted any more because there are too many
/// are above the limit of any program.
void plughost_find_family(struct plughost_family *family, int with_memory);

/// Gives back memory that the parent had and this process never reads. What is needed later has to be on the stack.
void plughost_drop_inherited_memory(void);

#endif
