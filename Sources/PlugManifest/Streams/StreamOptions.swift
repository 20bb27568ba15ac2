internal import PlugCore

/// What a stream's short keys say, which have a word or a length as their value. A new one is a property with its default, its key in
/// `keys`, and the line of `init` that reads it. Code that follows it reads the property.
package struct StreamOptions: Sendable {
    /// Whether records of one answer with equal keys are numbered to tell them apart; otherwise they are one record.
    package var countsEqual = false
    /// What happens to members that `fields` does not name.
    package var unknown = UnknownMembers.keep
    /// How the source record is stored beside the mapped one; `nil` if it is not.
    package var raw: RawMember?
    /// Whether records get an `_id`; `false` with `identity: off`.
    package var hasIdentity = true
    /// How often the stream is worth reading.
    package var every: Duration?

    /// The defaults.
    package init() {}

    /// Their keys in a stream.
    static let keys: [KeySpec] = [
        .key(
            "equal",
            .choice(["one", "count"]),
            default: "one",
            example: "count",
            "What records with equal keys stand for: one record, or as many as there are in one answer."
        ),
        .key(
            "unknown",
            .choice(UnknownMembers.allCases.map(\.rawValue)),
            default: "keep",
            "What happens to members of the mapped record that fields does not name; report keeps and reports them."
        ),
        .key(
            "raw",
            .choice(RawMember.allCases.map(\.rawValue)),
            default: "left out",
            example: "hash",
            "Adds the source's record to the mapped one as the member raw, or its SHA-256."
        ),
        .key(
            "identity",
            .choice(["on", "off"]),
            default: "on",
            "off leaves out _id, for record shapes fixed by others."
        ),
        .key("every", .duration, "How often the stream is worth reading."),
    ]

    /// The options as written in a stream.
    init(_ keys: CheckedMapping) {
        countsEqual = keys.text("equal") == "count"
        unknown = keys.text("unknown").flatMap(UnknownMembers.init) ?? unknown
        raw = keys.text("raw").flatMap(RawMember.init)
        hasIdentity = keys.text("identity") != "off"
        every = keys.duration("every")
    }
}
