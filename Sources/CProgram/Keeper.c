#define _GNU_SOURCE
#include "Internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// How often the limits are looked at, in milliseconds.
#define PAUSE 50

/// Nothing else runs in this process, so that it may be kept off the stack.
static struct plughost_family family;

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void signal_family(int number, int first) {
    plughost_find_family(&family, 0);
    for (int at = first; at < family.count; at++) kill(family.members[at], number);
}

/// Kills and reaps whatever is left, until there is nothing. Orphans come here, so that none is missed.
///
/// Many may be left, and make more: what is in a sandbox ends at once with the sandbox's first process, and the family is looked up
/// once for all that have ended, not for each of them.
static int kill_all(pid_t program, int *status) {
    int found = 0;
    // Its group at once, before anything is looked up. An ended program may have left its number to others.
    if (status != NULL) kill(-program, SIGKILL);
    for (;;) {
        // In a sandbox the wrapper's child, which is the first process of a PID namespace: the system kills all others with it. So it
        // comes before the others are counted, who make more meanwhile.
        plughost_find_family(&family, 2);
        if (family.count > 1) kill(family.members[1], SIGKILL);
        plughost_find_family(&family, 0);
        if (found < family.count) found = family.count;
        // Stopped first, so that they make no more while they are killed one by one.
        signal_family(SIGSTOP, 0);
        signal_family(SIGKILL, 0);
        int one;
        pid_t ended = waitpid(-1, &one, __WALL);
        while (ended > 0) {
            if (ended == program && status != NULL) *status = one;
            ended = waitpid(-1, &one, __WALL | WNOHANG);
        }
        if (ended < 0 && errno == ECHILD) return found;
    }
}

static void note_end(struct plughost_program_report *report, int status) {
    if (WIFSIGNALED(status)) {
        report->end = PLUGHOST_PROGRAM_SIGNALLED;
        report->value = WTERMSIG(status);
    } else {
        report->end = PLUGHOST_PROGRAM_EXITED;
        report->value = WEXITSTATUS(status);
    }
}

/// Looks at the limits of what it takes, and says which one is passed.
static int passed_limit(const struct plughost_program *program, struct plughost_program_report *report) {
    // What makes the sandbox is two of them.
    int wrappers = program->is_wrapped ? 2 : 0, limit = (int)program->processes;
    // Counted first, and no further than the limit: measuring takes longer, while they make more.
    plughost_find_family(&family, limit > 0 ? wrappers + limit + 1 : 0);
    int count = family.count - wrappers;
    if (count > report->most_processes) report->most_processes = count;
    if (limit > 0 && count > limit) return PLUGHOST_PROGRAM_PROCESSES;
    if (program->memory == 0) return PLUGHOST_PROGRAM_NO_LIMIT;
    plughost_measure_family(&family);
    if (family.memory > report->peak_memory) report->peak_memory = family.memory;
    return family.memory > program->memory ? PLUGHOST_PROGRAM_MEMORY : PLUGHOST_PROGRAM_NO_LIMIT;
}

static void watch(const struct plughost_program *program, struct plughost_program_report *report, pid_t child) {
    int64_t start = now(), kill_at = 0;
    struct pollfd control = {program->control, POLLIN, 0};
    int child_handle = (int)syscall(SYS_pidfd_open, child, 0);
    for (int pause = 1;; pause = pause * 2 > PAUSE ? PAUSE : pause * 2) {
        struct pollfd watched[2] = {control, {child_handle, POLLIN, 0}};
        poll(watched, child_handle < 0 ? 1 : 2, pause);
        // The program, and orphans of it. waitpid(2) reports each end once, so one loop handles them all.
        int status = 0, is_over = 0;
        for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG | __WALL)) > 0;) {
            if (ended != child) continue;
            note_end(report, status);
            is_over = 1;
        }
        if (is_over) {
            report->left_behind = kill_all(child, NULL);
            break;
        }
        if (watched[0].revents != 0) {
            char order;
            ssize_t count = read(program->control, &order, 1);
            if (count == 1 && kill_at == 0) {
                // The wrapper would take everything down with it at once.
                signal_family(SIGTERM, program->is_wrapped ? 1 : 0);
                kill_at = now() + program->grace;
            } else if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN)) {
                kill_at = -1;
            }
        }
        int limit = passed_limit(program, report);
        if (kill_at == 0) {
            if (program->time > 0 && now() - start > program->time) limit = PLUGHOST_PROGRAM_TIME;
            report->limit = limit;
        }
        // After it was asked to end, the reason is known already.
        if (kill_at < 0 || (kill_at > 0 && now() >= kill_at) || limit != PLUGHOST_PROGRAM_NO_LIMIT) {
            int own = 0;
            report->left_behind = kill_all(child, &own) - 1;
            note_end(report, own);
            break;
        }
    }
}

/// The most files and folders that are removed, and the bytes of their paths.
enum { MOST_TEMPORARY = 8, MOST_PATHS = 4096 };

struct temporary_files {
    int count;
    const char *paths[MOST_TEMPORARY];
    char text[MOST_PATHS];
};

/// Keeps the paths where they outlive the parent's memory.
static void copy_paths(struct temporary_files *temporary, const char *const *paths) {
    size_t used = 0;
    temporary->count = 0;
    for (; paths != NULL && *paths != NULL && temporary->count < MOST_TEMPORARY; paths++) {
        size_t length = strlen(*paths) + 1;
        if (length > sizeof temporary->text - used) return;
        temporary->paths[temporary->count++] = memcpy(temporary->text + used, *paths, length);
        used += length;
    }
}

/// Removes the files, and the folders with what the program has left in them.
static void remove_files(const struct temporary_files *temporary) {
    for (int at = 0; at < temporary->count; at++) {
        const char *path = temporary->paths[at];
        if (unlink(path) == 0 || rmdir(path) == 0 || errno != ENOTEMPTY) continue;
        pid_t child = _Fork();
        if (child == 0) {
            const char *const words[] = {"rm", "-rf", "--one-file-system", "--", path, NULL};
            const char *const none[] = {NULL};
            execve("/bin/rm", (char *const *)words, (char *const *)none);
            _exit(127);
        }
        while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    }
}

/// The keeper's whole life.
static _Noreturn void run_keeper(const struct plughost_program *program) {
    struct sigaction ignoring;
    memset(&ignoring, 0, sizeof ignoring);
    ignoring.sa_handler = SIG_IGN;
    const int ignored[] = {SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM};
    for (size_t at = 0; at < sizeof ignored / sizeof ignored[0]; at++) sigaction(ignored[at], &ignoring, NULL);
    // Ctrl-C at a terminal is for the parent, which then says what to do.
    setpgid(0, 0);
    prctl(PR_SET_NAME, "plughost-keeper");
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    struct plughost_program_report report;
    memset(&report, 0, sizeof report);
    struct temporary_files temporary;
    copy_paths(&temporary, program->temporary);

    // Before the namespaces, and only where the user of the program has no limit.
    static struct plughost_cgroup cgroup;
    if (program->is_wrapped && !plughost_user_is_limited()) plughost_make_cgroup(&cgroup);
    int failure[2] = {-1, -1};
    pid_t self = getpid();
    pid_t child = pipe2(failure, O_CLOEXEC) == 0 ? _Fork() : -1;
    if (child == 0) plughost_become(program, &cgroup, self, failure[1]);
    if (child < 0) {
        report.end = PLUGHOST_PROGRAM_NOT_STARTED;
        report.step = PLUGHOST_PROGRAM_FORK;
        report.value = errno;
    } else {
        // The ends of all pipes have to be the program's alone, so that their readers hear when it has ended.
        int kept[3] = {failure[0], program->control, program->report};
        for (int round = 0; round < 2; round++) {
            for (int at = 0; at < 2; at++) {
                if (kept[at] > kept[at + 1]) {
                    int other = kept[at];
                    kept[at] = kept[at + 1];
                    kept[at + 1] = other;
                }
            }
        }
        unsigned from = 0;
        for (int at = 0; at < 3; at++) {
            if ((unsigned)kept[at] > from) syscall(SYS_close_range, from, kept[at] - 1, 0);
            from = (unsigned)kept[at] + 1;
        }
        syscall(SYS_close_range, from, ~0U, 0);
        // Nobody of the same user looks into what this process has from its parent.
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
        plughost_drop_inherited_memory();
        int32_t message[2];
        ssize_t count;
        do {
            count = read(failure[0], message, sizeof message);
            if (count == (ssize_t)sizeof message && message[0] == PLUGHOST_PROGRAM_BOUND) {
                report.bound = message[1];
                count = -1;
                errno = EINTR;
            }
        } while (count < 0 && errno == EINTR);
        close(failure[0]);
        if (count == (ssize_t)sizeof message) {
            waitpid(child, NULL, 0);
            report.end = PLUGHOST_PROGRAM_NOT_STARTED;
            report.step = message[0];
            report.value = message[1];
        } else {
            watch(program, &report, child);
        }
    }
    struct rusage usage;
    if (getrusage(RUSAGE_CHILDREN, &usage) == 0) {
        report.processor_time = (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000
            + (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    }
    remove_files(&temporary);
    plughost_remove_cgroup(&cgroup);
    ssize_t ignored_count = write(program->report, &report, sizeof report);
    (void)ignored_count;
    _exit(0);
}

pid_t plughost_program_start(const struct plughost_program *program) {
    // No signal handler of this process runs in the child before it has said what it does with signals.
    sigset_t all, old;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &old) != 0) return -1;
    // Without what fork(3) does for the heap of a process that goes on using it.
    pid_t keeper = _Fork();
    if (keeper == 0) {
        run_keeper(program);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return keeper;
}
