/// A part of a manifest that is not in the plug.
package struct ImportFinding: Sendable, Equatable {
    /// Its line in the manifest, from 1.
    package var line: Int
    /// Why it is not in the plug, as the end of a sentence.
    package var reason: String
    /// The stream concerned; `nil` for the manifest as a whole.
    package var stream: String?
    /// Whether the stream is left out because of it. Otherwise the stream reads the same data, and an option is missing.
    package var leavesOut: Bool
    /// Whether it only reports what the manifest itself lacks: the plug reads the same data.
    package var isNote: Bool

    /// Creates a finding.
    package init(line: Int, reason: String, stream: String? = nil, leavesOut: Bool, isNote: Bool = false) {
        self.line = line
        self.reason = reason
        self.stream = stream
        self.leavesOut = leavesOut
        self.isNote = isNote
    }
}

/// A part of a manifest that a plug cannot express.
struct Unsayable: Error {
    /// The reason.
    var reason: String
    /// The line; `nil` for the place that was being read.
    var line: Int?

    init(_ reason: String, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }
}
