internal import PlugCore

/// What one answer may take, or one entry of an export. A new limit is a property with its default, its key in `keys`, and the line
/// of `init` that reads it. Code that enforces it reads the property.
package struct AnswerLimits: Sendable, Equatable {
    /// How long a request may wait for an answer.
    package var timeout = Duration.seconds(30)
    /// The largest answer in bytes, decompressed. The number of its values and records is bounded in proportion.
    package var body = 16 << 20
    /// The largest entry of an export in bytes that is held in memory as a whole. There is one at a time, and people's exports
    /// have larger files than services send as answers.
    package var entry = 64 << 20

    /// The largest answer in bytes that is held in memory as a whole.
    package var page: Int { min(body, Self.largestPage) }
    /// Larger answers must be decoded piece by piece.
    package static let largestPage = 1 << 30

    /// The defaults.
    package init() {}

    /// The keys in `http`.
    static let keys: [KeySpec] = [
        .key("timeout", .duration, default: HumanDuration.text(Self().timeout), "How long to wait for an answer."),
        .key(
            "max_body",
            .size,
            default: HumanSize.notation(Self().body),
            "The largest answer, decompressed; also the largest entry of an export that is read as a whole, which may have 64MiB by default. More than 1GiB only where the answers of all streams are read in pieces: those with `decode`, and of JSON those whose `records` goes through a list."
        ),
    ]

    /// The limits as written in `http`.
    init(_ http: CheckedMapping) {
        timeout = http.duration("timeout") ?? timeout
        if let size = http.text("max_body").flatMap(HumanSize.parse) {
            body = size
            entry = page
        }
    }
}
