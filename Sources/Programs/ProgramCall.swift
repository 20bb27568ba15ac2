package import PlugCore

/// A program and what it is told.
package struct ProgramCall: Sendable {
    /// The name of a program, or its path: absolute, or beginning at `folder`.
    package var command: String
    /// Its arguments, each as it is: no shell reads them. `{file}` stands for the path of a file of that name.
    package var arguments: [String]
    /// Files that it finds in its working directory: they may hold secrets, and vanish with the program.
    package var files: [(name: String, content: Secret)]
    /// What it reads on stdin; `nil` for nothing.
    package var input: Secret?
    /// Where relative paths begin: the manifest's folder; `nil` where it has none.
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

    /// A path from the top, where one that is relative begins in this process's working directory.
    package static func absolute(_ path: String) -> String { ProgramPlace.absolute(path) }

    /// The arguments, with the paths of files in a folder.
    func arguments(filesIn folder: String) -> [String] {
        arguments.map { argument in
            files.contains { argument == "{\($0.name)}" } ? "\(folder)/\(argument.dropFirst().dropLast())" : argument
        }
    }
}

/// What an operator says about programs: a manifest may come from anybody.
package struct ProgramPermissions: Sendable, Equatable {
    /// Whether programs run as the operator's own, without a sandbox.
    package var areTrusted = false
    /// Folders that programs may read beside their own, such as those of packages that are being worked on.
    package var folders: [String] = []
    /// What no program may see, whatever folder it is in: the state, its key, the configuration.
    package var hidden: [String] = []
    /// Folders of which no program may see anything, such as those of people's tokens.
    package var guarded: [String] = []

    /// Sandboxed, as all are that nobody trusts.
    package init() {}
}
