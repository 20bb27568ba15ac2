internal import Glibc

/// The person's browser.
enum Browser {
    /// Opens an address with xdg-open, if there is a display. It is not waited for, and writes nothing here.
    ///
    /// - Returns: Whether something was started; whether the person then sees a page is unknown.
    static func open(_ address: String, _ environment: [String: String]) -> Bool {
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return false }
        var actions = posix_spawn_file_actions_t()
        // Initialises what is destroyed below; fails only if memory runs out.
        guard posix_spawn_file_actions_init(&actions) == 0 else { return false }
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return false }
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of this process block signals, and it ignores some: the browser must not inherit that. These calls fail only
        // for invalid flags, and pass over the signals that nobody can change.
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(address), nil]
        defer { for argument in arguments { free(argument) } }
        var child = pid_t()
        // Copies the arguments. The child is left for init to reap when this process ends, which is soon.
        return posix_spawnp(&child, "xdg-open", &actions, &attributes, arguments, environ) == 0
    }
}
