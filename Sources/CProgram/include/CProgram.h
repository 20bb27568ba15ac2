#ifndef PLUGHOST_CPROGRAM_H
#define PLUGHOST_CPROGRAM_H

#include <stdint.h>
#include <sys/types.h>

/// What ended a program, or kept it from starting.
enum plughost_program_end {
    /// It exited by itself; `value` is its status.
    PLUGHOST_PROGRAM_EXITED = 1,
    /// A signal ended it; `value` is the signal.
    PLUGHOST_PROGRAM_SIGNALLED = 2,
    /// It could not be started; `value` is errno, `step` says at what.
    PLUGHOST_PROGRAM_NOT_STARTED = 3,
};

/// Which limit its keeper has ended it for.
enum plughost_program_limit {
    PLUGHOST_PROGRAM_NO_LIMIT = 0,
    PLUGHOST_PROGRAM_MEMORY = 1,
    PLUGHOST_PROGRAM_PROCESSES = 2,
    PLUGHOST_PROGRAM_TIME = 3,
};

/// At what a program could not be started.
enum plughost_program_step {
    PLUGHOST_PROGRAM_FORK = 1,
    PLUGHOST_PROGRAM_NAMESPACES = 2,
    PLUGHOST_PROGRAM_NETWORK = 3,
    PLUGHOST_PROGRAM_LIMITS = 4,
    PLUGHOST_PROGRAM_FOLDER = 5,
    PLUGHOST_PROGRAM_EXEC = 6,
    /// The number of its processes could not be limited.
    PLUGHOST_PROGRAM_UNBOUNDED = 7,
    /// Not a failure: the value says what limits them.
    PLUGHOST_PROGRAM_BOUND = 8,
};

/// What limits the number of processes in a sandbox, besides its keeper.
enum plughost_program_bound {
    /// RLIMIT_NPROC.
    PLUGHOST_PROGRAM_BOUND_USER = 1,
    /// A cgroup of its own: the limit of a user does not count for root.
    PLUGHOST_PROGRAM_BOUND_CGROUP = 2,
    /// RLIMIT_NPROC of a user that is not root, as which it runs.
    PLUGHOST_PROGRAM_BOUND_OTHER_USER = 3,
};

/// What the keeper writes at the end, in one write(2).
struct plughost_program_report {
    int32_t end;
    int32_t value;
    int32_t step;
    int32_t limit;
    /// What limits its processes; 0 without a sandbox.
    int32_t bound;
    /// Processes that were alive when the program itself had ended.
    int32_t left_behind;
    /// The most processes and the most memory that were seen at once.
    int32_t most_processes;
    uint64_t peak_memory;
    /// Processor time of the program and its descendants, in microseconds.
    uint64_t processor_time;
};

/// How a program is started.
struct plughost_program {
    const char *path;
    const char *const *arguments;
    const char *const *environment;
    /// Its working directory.
    const char *folder;
    /// Become its stdout and stderr.
    int output, errors;
    /// Becomes its stdin; -1 for /dev/null.
    int input;
    /// The end of a pipe that says when to end: a byte asks (SIGTERM), its end kills.
    int control;
    /// The end of a pipe for the report.
    int report;
    /// Further descriptors that the program gets under the same numbers.
    const int *kept;
    size_t kept_count;
    /// A socket that is sent the listening socket of a network of the program's own, on 127.0.0.1 and `port` inside; -1
    /// leaves it in this network. The program then begins in a user namespace of its own, too.
    int network;
    uint16_t port;
    /// Whether `path` is what makes a sandbox around the program: it is asked to end with what is inside.
    int is_wrapped;
    /// Limits; 0 for none. `memory` is what all its processes make the system keep, in bytes.
    uint64_t memory, file_size, open_files;
    uint32_t processes;
    /// In milliseconds, for the whole of it, and between being asked to end and being killed.
    int64_t time, grace;
    /// Files and then folders to remove when it has ended, ended by NULL; NULL for none.
    const char *const *temporary;
};

/// Starts a program, and a keeper: a process of ours that outlives it, takes its orphans, watches its limits, and ends all of them
/// when this process ends, however it ends.
///
/// May be called from any thread. Nothing of `program` is used after it returns. The caller closes its copies of `output`, `errors`,
/// the report's writing end and the control's reading end, keeps the other ends, and waits for the keeper with waitpid(2).
///
/// Returns the keeper's process id, or -1 with errno.
pid_t plughost_program_start(const struct plughost_program *program);

/// Receives a descriptor that was sent over a socket, closed on exec; -1 if the other end has gone, or with errno.
int plughost_receive_descriptor(int socket);

/// pipe2(2), closed on exec, with room for so many bytes where the system grants it. 0, or -1 with errno.
int plughost_pipe(int ends[2], int room);

/// How many bytes a pipe has room for; -1 with errno.
int plughost_pipe_room(int end);

/// accept4(2), closed on exec and never waiting.
int plughost_accept(int listener);

/// Removes a folder with all that is in it, on its own file system alone; links are removed and not followed. What cannot be removed
/// stays.
void plughost_remove_tree(const char *folder);

/// A file in memory, closed on exec: memfd_create(2), which the Glibc module leaves out.
int plughost_memory_file(const char *name);

#endif
