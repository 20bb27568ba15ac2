/// How much a program may use of this machine. What goes beyond ends it with an error that names the limit.
package struct ProgramLimits: Sendable, Equatable {
    /// How long it may take in all.
    package var time = Duration.seconds(3_600)
    /// Private memory of all its processes together, in bytes.
    package var memory = 1 << 30
    /// Processes and forks of it at the same time.
    package var processes = 64
    /// What it writes to stdout and stderr together, in bytes.
    package var output = 16 << 30
    /// One line of its stdout, in bytes.
    package var line = 8 << 20
    /// What it may keep in files, in bytes: each of them, and in a sandbox all of them.
    package var disk = 256 << 20
    /// Files, sockets and pipes that each of its processes has open.
    package var openFiles = 1_024
    /// How long it may go on after it was asked to end.
    package var grace = Duration.seconds(5)

    /// The usual limits.
    package init() {}
}
