package import LosslessJSON

/// The program that reads the source instead of requests: one that speaks the Singer protocol.
package struct ProgramSettings: Sendable {
    /// Who has to trust the program for it to run.
    package enum Trust: String, Sendable, CaseIterable {
        /// No one: it runs in a sandbox.
        case sandbox
        /// The operator: it needs more than a sandbox allows.
        case `operator`
    }

    /// The program and its arguments, verbatim: no shell interprets them.
    package var command: [String]
    /// Its configuration, with templates; `nil` for none.
    package var config: JSONTemplate?
    /// Its catalogue of streams; `nil` lets the program decide what it reads.
    package var catalogue: JSONValue?
    /// The file beside the manifest that has it; `nil` if it is in the manifest itself, or there is none.
    package var catalogueFile: String?
    /// Its streams whose records are not wanted.
    package var ignored: [String]
    /// Whether the catalogue is also passed with `--properties`, as older programs expect.
    package var takesProperties: Bool
    /// Who has to trust it.
    package var trust: Trust
    /// The limits in the manifest, `nil` for the usual ones.
    package var limits: Limits

    /// Limits from the manifest.
    package struct Limits: Sendable, Equatable {
        /// The longest run time.
        package var time: Duration?
        /// Memory of all its processes, in bytes.
        package var memory: Int?
        /// Concurrent processes.
        package var processes: Int?
        /// Bytes of stdout and stderr.
        package var output: Int?
        /// Bytes of one line.
        package var line: Int?
        /// Bytes of files.
        package var disk: Int?
    }
}
