package import LosslessJSON

/// The program that a plug is read with, where nothing is requested: one that speaks the messages of Singer.
package struct ProgramSettings: Sendable {
    /// Who has to know the program for it to run.
    package enum Trust: String, Sendable, CaseIterable {
        /// Nobody: it runs in a sandbox.
        case sandbox
        /// The operator: it needs more than a sandbox gives.
        case `operator`
    }

    /// The program and its arguments, as they are: no shell reads them.
    package var command: [String]
    /// Its configuration, with templates; `nil` for none.
    package var config: JSONTemplate?
    /// Its catalogue of streams; `nil` leaves it to the program what it reads.
    package var catalogue: JSONValue?
    /// Whether the catalogue is given with `--properties`, too, as older programs take it.
    package var takesProperties: Bool
    /// Who has to know it.
    package var trust: Trust
    /// What the manifest says about limits, `nil` for the usual ones.
    package var limits: Limits

    /// Limits as the manifest has them.
    package struct Limits: Sendable, Equatable {
        /// How long it may take.
        package var time: Duration?
        /// Private memory of all its processes, in bytes.
        package var memory: Int?
        /// Processes at a time.
        package var processes: Int?
        /// Bytes of stdout and stderr.
        package var output: Int?
        /// Bytes of one line.
        package var line: Int?
        /// Bytes of files.
        package var disk: Int?
    }
}
