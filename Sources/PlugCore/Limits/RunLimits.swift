/// The limits of one run. A new limit is a property with its default, and one of `RunLimitKey.all`, from which its key in
/// `plughost.yaml` follows; its option is in `LimitOptions`. Code that enforces it reads the property.
package struct RunLimits: Sendable, Equatable {
    /// How long a run may take unless something else is said: one day.
    package static let defaultTime = Duration.seconds(86_400)

    /// How long it may take; `nil` for no limit. Then it ends like an interrupted one, and the next run continues.
    package var time: Duration?
    /// How much may wait in the outbox.
    package var outbox = OutboxLimits()
    /// How many dead letters may be kept.
    package var deadLetters = DeadLetterLimits()
    /// How many bytes of disk space answers may take while they wait to be decoded. The default has room for one of the largest
    /// answers that a manifest may allow.
    package var scratch = 16 << 30
    /// Complete pages are gathered for one commit until their fingerprints and states take this many bytes: those of 500 records.
    /// Streams that are read concurrently share it. After a crash these records are posted one by one to prove that the PDA has
    /// them: with a page of usual size, they are no more than one run may post one by one (`DeliveryOptions.probesPerRun`). No option
    /// sets this or the next two properties; tests set them for small answers.
    package var commitBytes = 8 << 10
    /// The maximum number of an answer's records in a block that is delivered at once; `nil` for the default.
    package var blockRecords: Int?
    /// JSON answers larger than this many bytes are read in pieces; `nil` for the default.
    package var largestWholePage: Int?

    /// Creates the default limits, without a time limit.
    package init() {}
}

/// How much may wait in the outbox. Once a limit is reached, nothing more is read for the streams it concerns.
///
/// A page is queued as a whole while there is room, so a stream's limit may be exceeded by one page, and the host's by one page
/// for each run under way.
package struct OutboxLimits: Sendable, Equatable {
    /// The maximum bytes for one stream of one connection.
    package var streamBytes = 8 << 20
    /// The maximum bytes for all connections in one state folder.
    package var hostBytes = 1 << 30

    /// Creates the default limits: 8 MiB for a stream, 1 GiB for all.
    package init() {}
}

/// How many dead letters are kept. Once a limit is reached, nothing more is read for the streams it concerns.
package struct DeadLetterLimits: Sendable, Equatable {
    /// The maximum number for one connection, at least 1. More letters get more bytes, in the proportion of the defaults.
    package var letters = 10_000 {
        didSet {
            letters = max(1, letters)
            bytes = max(bytes, letters.multipliedReportingOverflow(by: 6 << 10).overflow ? .max : letters * (6 << 10))
        }
    }
    /// The maximum bytes for one connection.
    package var bytes = 64 << 20
    /// The maximum bytes for all connections in one state folder.
    package var hostBytes = 1 << 30

    /// Creates the default limits: 10,000 and 64 MiB for a connection, 1 GiB for all.
    package init() {}
}

/// A limit of a run that operators set: with an option of `plughost run`, or with a key of `plughost.yaml`.
package struct RunLimitKey: Sendable {
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
    package var defaultValue: Int { RunLimits()[keyPath: path] }
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
