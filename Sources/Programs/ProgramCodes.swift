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
        "The program that 'exec.command' names is not on this machine. A name is looked up in PATH; a path with a slash begins at "
            + "the manifest's folder.",
        "Install the program, or write its path. 'plughost' needs no shell to find it, and uses none."
    )

    package static let programSandbox = Self(
        "program-sandbox",
        exit: .configuration,
        "A program of a plug runs in a sandbox (bubblewrap), and the sandbox cannot be built on this machine: bubblewrap is not "
            + "installed, or the system allows no user namespaces. Nothing was started: a program outside a sandbox could read "
            + "your files.",
        "Install bubblewrap. If namespaces are refused, see 'kernel.unprivileged_userns_clone', 'kernel.apparmor_restrict_"
            + "unprivileged_userns' and 'user.max_user_namespaces' of sysctl, and the security profile of a container. Under systemd, the units "
            + "of the package refuse them without programs.conf: see Documentation/singer.md. An operator who "
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
            + "file that is not a program.",
        "The message gives the system's error. Nothing is lost: run it again."
    )

    package static let programFailed = Self(
        "program-failed",
        exit: .unreachable,
        "The program of a plug ended with an error. What it had handed over is delivered or kept, and the saved state is the last "
            + "STATE whose earlier records are all delivered or kept.",
        "Read what the program said. Its configuration, its credentials, or the service may be the reason. The next run continues "
            + "from the saved state."
    )

    package static let programKilled = Self(
        "program-killed",
        exit: .unreachable,
        "Something has killed the program of a plug: it crashed, or the system was short of memory.",
        "Nothing is lost: the next run continues from the saved state. If it happens again, raise 'exec.limits.memory'."
    )

    package static let programLimit = Self(
        "program-limit",
        exit: .tryLater,
        "The program of a plug reached one of its limits, and was ended with all its processes. What it had handed over is "
            + "delivered or kept.",
        "If the program needs more, raise the limit under 'exec.limits'. If not, find out why it uses so much."
    )

    package static let programLeftBehind = Self(
        "program-left-behind",
        "A warning: a program ended while processes that it had started were still running. They were ended with it.",
        "Do nothing: no process is left. The program should wait for what it starts."
    )

    package static let programHostRefused = Self(
        "program-host-refused",
        "A warning: a sandboxed program asked for a host that it may not reach: one that is not among the plug's 'hosts', or one "
            + "in a private network that the operator has not opened.",
        "Add the host to 'hosts' if the program needs it, or open its network with --allow-network. Turn off what it does not "
            + "need, such as usage statistics, in its configuration."
    )

    package static let programProxy = Self(
        "program-proxy",
        exit: .configuration,
        "Sandboxed programs reach their hosts through plughost's own proxy, which cannot use the proxy of --proxy.",
        "Run the plug without --proxy."
    )
}
