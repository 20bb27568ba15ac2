/// How much of this machine a program may use. Exceeding a limit ends it with an error that names the limit.
package struct ProgramLimits: Sendable, Equatable {
    /// The total running time.
    package var time = Duration.seconds(3_600)
    /// What all its processes together make the system keep in memory, in bytes.
    package var memory = 1 << 30
    /// Its processes, forks included, at the same time.
    package var processes = 64
    /// Output to stdout and stderr together, in bytes.
    package var output = 16 << 30
    /// One line of stdout, in bytes.
    package var line = 8 << 20
    /// Files, in bytes: the size of each, and in a sandbox of all together.
    package var disk = 256 << 20
    /// Files, sockets and pipes open in each of its processes.
    package var openFiles = 1_024
    /// How long it may continue after being asked to end.
    package var grace = Duration.seconds(5)

    /// The default limits.
    package init() {}
}
