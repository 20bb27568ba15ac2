#define _GNU_SOURCE
#include "Internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void tell(int failure, int step, int32_t value) {
    int32_t message[2] = {step, value};
    // Eight bytes go into a pipe at once or not at all.
    ssize_t ignored = write(failure, message, sizeof message);
    (void)ignored;
}

static _Noreturn void fail(int failure, int step) {
    tell(failure, step, errno);
    _exit(127);
}

static int limit(int resource, uint64_t value) {
    struct rlimit old, wanted;
    if (getrlimit(resource, &old) != 0) return -1;
    wanted.rlim_cur = wanted.rlim_max = old.rlim_max < value ? old.rlim_max : value;
    return setrlimit(resource, &wanted);
}

static void restore_signals(void) {
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    // What cannot be set (SIGKILL, SIGSTOP, two of glibc's own) needs no setting.
    for (int number = 1; number < NSIG; number++) sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static void end_with(pid_t keeper) {
    // The keeper has one thread, so its end is what this waits for; it may have come already.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper) _exit(127);
}

_Noreturn void plughost_become(
    const struct plughost_program *program, const struct plughost_cgroup *cgroup, pid_t keeper, int failure) {
    restore_signals();
    // No terminal, and a process group of its own.
    setsid();
    int bound = program->is_wrapped ? plughost_bound_processes(program, cgroup) : 0;
    // After the user has changed, which undoes it (prctl(2)).
    end_with(keeper);

    if (program->network >= 0) {
        int step = plughost_enter_network(program->network, program->port);
        if (step != 0) fail(failure, step);
    }
    if (program->is_wrapped) {
        if (plughost_limit_processes(program, bound) != 0) fail(failure, PLUGHOST_PROGRAM_UNBOUNDED);
        tell(failure, PLUGHOST_PROGRAM_BOUND, bound);
    }

    // Above what is about to be replaced.
    int input = program->input >= 0 ? fcntl(program->input, F_DUPFD_CLOEXEC, 10) : open("/dev/null", O_RDONLY | O_CLOEXEC);
    int output = fcntl(program->output, F_DUPFD_CLOEXEC, 10);
    int errors = fcntl(program->errors, F_DUPFD_CLOEXEC, 10);
    if (input < 0 || output < 0 || errors < 0) fail(failure, PLUGHOST_PROGRAM_EXEC);
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) fail(failure, PLUGHOST_PROGRAM_EXEC);
    // Everything else is closed by exec, whoever has opened it.
    if (syscall(SYS_close_range, 3, ~0U, 4 /* CLOSE_RANGE_CLOEXEC */) != 0) fail(failure, PLUGHOST_PROGRAM_EXEC);
    for (size_t at = 0; at < program->kept_count; at++) {
        if (fcntl(program->kept[at], F_SETFD, 0) != 0) fail(failure, PLUGHOST_PROGRAM_EXEC);
    }

    // No core dumps: they hold what the program was told. 0 is "no limit" for the others.
    if (limit(RLIMIT_CORE, 0) != 0) fail(failure, PLUGHOST_PROGRAM_LIMITS);
    // Private memory that can be written to: unlike RLIMIT_AS it does not count what is only set aside.
    if (program->memory > 0 && limit(RLIMIT_DATA, program->memory) != 0) fail(failure, PLUGHOST_PROGRAM_LIMITS);
    if (program->file_size > 0 && limit(RLIMIT_FSIZE, program->file_size) != 0) fail(failure, PLUGHOST_PROGRAM_LIMITS);
    if (program->open_files > 0 && limit(RLIMIT_NOFILE, program->open_files) != 0) fail(failure, PLUGHOST_PROGRAM_LIMITS);
    if (program->time > 0 && limit(RLIMIT_CPU, (uint64_t)program->time / 1000 * 4 + 60) != 0) {
        fail(failure, PLUGHOST_PROGRAM_LIMITS);
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) fail(failure, PLUGHOST_PROGRAM_LIMITS);

    if (chdir(program->folder) != 0) fail(failure, PLUGHOST_PROGRAM_FOLDER);
    // execve(2) changes neither array.
    execve(program->path, (char *const *)program->arguments, (char *const *)program->environment);
    fail(failure, PLUGHOST_PROGRAM_EXEC);
}
