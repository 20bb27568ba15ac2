#define _GNU_SOURCE
#include "Internal.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// Whom a program of root becomes where nothing else limits its processes: a number that systemd gives to nobody
/// (https://systemd.io/UIDS-GIDS), small enough for the users of a container.
enum { OTHER_USER = 61100 };

/// The wrapper and the first process of its sandbox are counted with the program's.
static unsigned most_of(const struct plughost_program *program) { return program->processes + 2; }

/// Whether this process gets a child, which ends at once.
static int can_fork(void) {
    pid_t child = vfork();
    if (child == 0) _exit(0);
    if (child < 0) return 0;
    while (waitpid(child, NULL, __WALL) < 0 && errno == EINTR) {}
    return 1;
}

int plughost_user_is_limited(void) {
    // Tried and not concluded: the kernel exempts root of the whole machine, whatever its number is here, and some privileges
    // (copy_process in kernel/fork.c).
    struct rlimit old, none;
    if (getrlimit(RLIMIT_NPROC, &old) != 0) return 0;
    none = (struct rlimit){0, old.rlim_max};
    if (setrlimit(RLIMIT_NPROC, &none) != 0) return 0;
    int is_limited = !can_fork();
    if (setrlimit(RLIMIT_NPROC, &old) != 0) return 0;
    return is_limited;
}

static int write_in(const struct plughost_cgroup *cgroup, const char *name, const char *text) {
    char path[sizeof cgroup->folder + 32];
    plughost_append(plughost_append(path, cgroup->folder), name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t written = write(file, text, strlen(text));
    close(file);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

/// Where this process is among the cgroups that count processes: of version 1 if such a hierarchy is mounted, else of version 2.
static int find_cgroup(struct plughost_cgroup *cgroup) {
    char text[4096];
    int file = open("/proc/self/cgroup", O_RDONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return -1;
    text[length] = 0;
    const char *root = "/sys/fs/cgroup/pids";
    char *own = strstr(text, ":pids:");
    if (own != NULL) {
        own += strlen(":pids:");
    } else {
        root = "/sys/fs/cgroup";
        own = strncmp(text, "0::", 3) == 0 ? text + 3 : NULL;
    }
    char *end = own == NULL ? NULL : strchr(own, '\n');
    if (end == NULL) return -1;
    *end = 0;
    if (strlen(root) + strlen(own) + 32 > sizeof cgroup->folder) return -1;
    char *at = plughost_append(plughost_append(cgroup->folder, root), own);
    if (at[-1] == '/') *--at = 0;
    return 0;
}

void plughost_make_cgroup(struct plughost_cgroup *cgroup) {
    struct plughost_cgroup parent;
    if (find_cgroup(&parent) != 0) return;
    plughost_append_number(plughost_append(plughost_append(cgroup->folder, parent.folder), "/plughost-"), getpid());
    // One that was left by a keeper with this number, when it was killed, is empty.
    if (mkdir(cgroup->folder, 0755) != 0 && errno != EEXIST) {
        cgroup->folder[0] = 0;
        return;
    }
    // Version 2: beside processes, which the parent has, only a threaded one may be (cgroups(7)). Neither file is in version 1, and
    // whether it holds is tried by who joins.
    write_in(cgroup, "/cgroup.type", "threaded");
    write_in(&parent, "/cgroup.subtree_control", "+pids");
}

void plughost_remove_cgroup(const struct plughost_cgroup *cgroup) {
    // The system may still be letting go of what has ended.
    for (int tries = 0; cgroup->folder[0] != 0 && tries < 100; tries++) {
        if (rmdir(cgroup->folder) == 0 || errno != EBUSY) return;
        poll(NULL, 0, 2);
    }
}

static int join_cgroup(const struct plughost_cgroup *cgroup, unsigned most) {
    if (cgroup->folder[0] == 0) return -1;
    char limit[12];
    plughost_append_number(limit, (pid_t)most);
    if (write_in(cgroup, "/pids.max", "1") != 0 || write_in(cgroup, "/cgroup.procs", "0") != 0) return -1;
    return can_fork() ? -1 : write_in(cgroup, "/pids.max", limit);
}

static int become_other_user(const struct plughost_program *program) {
    // Else it could not open /dev/stdout.
    fchown(program->output, OTHER_USER, OTHER_USER);
    fchown(program->errors, OTHER_USER, OTHER_USER);
    if (setgroups(0, NULL) != 0 || setresgid(OTHER_USER, OTHER_USER, OTHER_USER) != 0) return -1;
    return setresuid(OTHER_USER, OTHER_USER, OTHER_USER);
}

int plughost_bound_processes(const struct plughost_program *program, const struct plughost_cgroup *cgroup) {
    if (plughost_user_is_limited()) return PLUGHOST_PROGRAM_BOUND_USER;
    if (join_cgroup(cgroup, most_of(program)) == 0) return PLUGHOST_PROGRAM_BOUND_CGROUP;
    // A privilege that exempts others is lost with the namespaces.
    if (geteuid() != 0) return PLUGHOST_PROGRAM_BOUND_USER;
    // If it stays root, the limit does not hold, and the next step says so.
    return become_other_user(program) == 0 ? PLUGHOST_PROGRAM_BOUND_OTHER_USER : PLUGHOST_PROGRAM_BOUND_USER;
}

int plughost_limit_processes(const struct plughost_program *program, int bound) {
    if (bound == PLUGHOST_PROGRAM_BOUND_CGROUP) return 0;
    if (!plughost_user_is_limited()) {
        errno = EPERM;
        return -1;
    }
    struct rlimit old, wanted;
    if (getrlimit(RLIMIT_NPROC, &old) != 0) return -1;
    wanted.rlim_cur = wanted.rlim_max = old.rlim_max < most_of(program) ? old.rlim_max : most_of(program);
    return setrlimit(RLIMIT_NPROC, &wanted);
}
