/// A limit of a run that operators set: with an option of `plughost run`, or with a key of `plughost.yaml`.
package struct RunLimit: Sendable {
    /// What is counted.
    package enum Unit: Sendable {
        /// Bytes, written as a size such as 8MiB.
        case bytes
        /// Things, written as a number of at least 1.
        case count
    }

    /// Its key in `limits` of `plughost.yaml`.
    package let key: String
    /// Its option, with the hyphens.
    package let option: String
    /// Where its value is kept.
    package let path: any WritableKeyPath<RunLimits, Int> & Sendable
    /// What is counted.
    package let unit: Unit
    /// One sentence for references and help.
    package let help: String

    /// Its default.
    package var usual: Int { RunLimits()[keyPath: path] }
    /// How to raise it, for messages.
    package var setting: String { "\(option), or limits.\(key) of a host" }

    package static let outbox = Self(
        key: "outbox",
        option: "--outbox-limit",
        path: \.outbox.streamBytes,
        unit: .bytes,
        help: "How much of one stream may wait here while its PDA is unreachable."
    )
    package static let outboxTotal = Self(
        key: "outbox_total",
        option: "--outbox-total",
        path: \.outbox.hostBytes,
        unit: .bytes,
        help: "How much may wait for all connections together."
    )
    package static let deadLetters = Self(
        key: "dead_letters",
        option: "--dead-letter-limit",
        path: \.deadLetters.letters,
        unit: .count,
        help: "How many dead letters of one connection may be kept."
    )
    package static let deadLetterTotal = Self(
        key: "dead_letter_total",
        option: "--dead-letter-total",
        path: \.deadLetters.hostBytes,
        unit: .bytes,
        help: "How much space the dead letters of all connections may take."
    )
    package static let scratch = Self(
        key: "scratch",
        option: "--scratch-limit",
        path: \.scratch,
        unit: .bytes,
        help: "How much disk space the large answers of one run may take together while they are read."
    )

    /// Every limit, in the order of references.
    package static let all = [outbox, outboxTotal, deadLetters, deadLetterTotal, scratch]
}
