/// Something of a manifest that is not in the plug.
package struct ImportFinding: Sendable, Equatable {
    /// Where it stands in the manifest, from 1.
    package var line: Int
    /// Why it is not in the plug, as the end of a sentence.
    package var reason: String
    /// The stream that it is about; `nil` for the manifest as a whole.
    package var stream: String?
    /// Whether the stream is left out for it. Otherwise the stream reads the same, and an option is missing.
    package var leavesOut: Bool
    /// Whether it only says what the manifest itself lacks: the plug reads what the manifest reads.
    package var isNote: Bool

    /// A finding.
    package init(line: Int, reason: String, stream: String? = nil, leavesOut: Bool, isNote: Bool = false) {
        self.line = line
        self.reason = reason
        self.stream = stream
        self.leavesOut = leavesOut
        self.isNote = isNote
    }
}

/// What a part of a manifest says that a plug cannot say.
struct Unsayable: Error {
    /// Why.
    var reason: String
    /// Where; `nil` for the place that was being read.
    var line: Int?

    init(_ reason: String, line: Int? = nil) {
        self.reason = reason
        self.line = line
    }
}
