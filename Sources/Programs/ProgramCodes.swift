package import PlugCore

/// The codes of programs, as `plughost explain` lists them.
package enum ProgramCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [
        .programNotFound, .programSandbox, .programNotTrusted, .programNotStarted, .programFailed, .programKilled,
        .programLimit, .programProxy, .programLeftBehind, .programHostRefused,
    ]
}

extension PlugError.Code {
    package static let programNotFound = Self(
        "program-not-found",
        exit: .configuration,
        "The program that 'exec.command' names is not on this machine. A name is looked for in PATH, a path with a slash begins at "
            + "the manifest's folder.",
        "Install the program, or write its path. 'plughost' needs no shell to find it, and uses none."
    )

    package static let programSandbox = Self(
        "program-sandbox",
        exit: .configuration,
        "A program of a plug runs in a sandbox (bubblewrap), and the sandbox cannot be built on this machine: bubblewrap is not "
            + "installed, or the system allows no user namespaces. Nothing was started: a program without walls could read your "
            + "files.",
        "Install bubblewrap. If namespaces are refused, see 'kernel.unprivileged_userns_clone', 'kernel.apparmor_restrict_"
            + "unprivileged_userns' and 'user.max_user_namespaces' of sysctl, and the security profile of a container. An operator who "
            + "knows a program can run it without a sandbox: --trust-programs, or 'programs: {trust: [PLUG]}' in plughost.yaml."
    )

    package static let programNotTrusted = Self(
        "program-not-trusted",
        exit: .configuration,
        "The manifest says 'trust: operator': its program needs more than a sandbox gives. The operator of this host has not said "
            + "that it may run without one.",
        "If you know and trust the program, run it with --trust-programs, or write 'programs: {trust: [PLUG]}' in plughost.yaml. "
            + "A manifest cannot say so itself."
    )

    package static let programNotStarted = Self(
        "program-not-started",
        exit: .unreachable,
        "The program of a plug, or the process that watches over it, could not be started: too many processes, no memory, or a "
            + "file that is no program.",
        "The message says what the system answered. Nothing is lost: run it again."
    )

    package static let programFailed = Self(
        "program-failed",
        exit: .unreachable,
        "The program of a plug ended with an error. What it had handed over before is delivered or kept, and the state is that of "
            + "its last STATE before which everything is.",
        "Read what the program said. Its configuration, its credentials, or the service may be the reason. The next run continues "
            + "at the state that is kept."
    )

    package static let programKilled = Self(
        "program-killed",
        exit: .unreachable,
        "Something has killed the program of a plug: it crashed, or the system was short of memory.",
        "Nothing is lost: the next run continues at the state that is kept. If it happens again, raise 'exec.limits.memory'."
    )

    package static let programLimit = Self(
        "program-limit",
        exit: .tryLater,
        "The program of a plug reached one of its limits, and was ended with all its processes. What it had handed over before is "
            + "delivered or kept.",
        "Raise the limit under 'exec.limits' if the program needs more; see whether it runs wild if it does not."
    )

    package static let programLeftBehind = Self(
        "program-left-behind",
        "A warning: a program has ended, and processes that it had started were still there. They were ended with it.",
        "Nothing: no process is left. The program should wait for what it starts."
    )

    package static let programHostRefused = Self(
        "program-host-refused",
        "A warning: a sandboxed program asked for a host that it may not reach: one that is none of the plug's 'hosts', or one in a "
            + "private network that the operator has not opened.",
        "Add the host to 'hosts' if the program needs it, or open its network with --allow-network. What a program does not need, such "
            + "as statistics of its use, is best turned off in its configuration."
    )

    package static let programProxy = Self(
        "program-proxy",
        exit: .configuration,
        "Sandboxed programs reach their hosts through a proxy of plughost's own, and that cannot go through the proxy of --proxy.",
        "Run the plug without --proxy."
    )
}
