package import PlugCore

/// A program and its input.
package struct ProgramCall: Sendable {
    /// The name of a program, or its path: absolute, or relative to `folder`.
    package var command: String
    /// Its arguments, passed unchanged without a shell. `{file}` is replaced by the path of the file of that name.
    package var arguments: [String]
    /// Files in its working directory: they may contain secrets, and are deleted with the program.
    package var files: [(name: String, content: Secret)]
    /// Its stdin; `nil` for nothing.
    package var input: Secret?
    /// The base of relative paths: the manifest's folder; `nil` if it has none.
    package var folder: String?
    /// How much it may use.
    package var limits: ProgramLimits

    /// A call.
    package init(
        command: String,
        arguments: [String] = [],
        files: [(name: String, content: Secret)] = [],
        folder: String? = nil,
        limits: ProgramLimits = ProgramLimits()
    ) {
        self.command = command
        self.arguments = arguments
        self.files = files
        self.folder = folder
        self.limits = limits
    }

    /// An absolute path; a relative one is resolved in this process's working directory.
    package static func absolute(_ path: String) -> String { ProgramPlace.absolute(path) }

    /// The arguments, with the paths of files in a folder.
    func arguments(filesIn folder: String) -> [String] {
        arguments.map { argument in
            files.contains { argument == "{\($0.name)}" } ? "\(folder)/\(argument.dropFirst().dropLast())" : argument
        }
    }
}

/// An operator's permissions for programs: a manifest may come from anyone.
package struct ProgramPermissions: Sendable, Equatable {
    /// Whether programs run as the operator's own, without a sandbox.
    package var areTrusted = false
    /// Folders that programs may read besides their own, such as those of packages in development.
    package var folders: [String] = []
    /// What no program may see, whatever folder it is in: the state, its key, the configuration.
    package var hidden: [String] = []
    /// Folders of which no program may see anything, such as those of people's tokens.
    package var guarded: [String] = []

    /// Sandboxed, like all programs that are not trusted.
    package init() {}
}
