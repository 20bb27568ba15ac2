/// What a key's value may be.
package indirect enum Shape: Sendable {
    /// A text; a plain number keeps its digits and is one too.
    case text
    /// A text with `{{ … }}`.
    case template
    /// A jq program.
    case program
    /// A jq program, or one of these words.
    case programOrWord([String])
    /// A whole number.
    case integer(ClosedRange<Int>)
    /// `true` or `false`.
    case boolean
    /// `30s`, `15m`, `1h`, `7d`.
    case duration
    /// A duration, or a jq program.
    case durationOrProgram
    /// A duration, or a count.
    case durationOrCount(ClosedRange<Int>)
    /// `500000`, `64KiB`, `8MiB`.
    case size
    /// A size without an upper bound.
    case sizeFrom(Int)
    /// `180/60s`.
    case rate
    /// `20%`: from 1 to 100 per cent.
    case share
    /// One of these words. Refused words that people tend to write come with the reason.
    case choice([String], refused: [String: String] = [:])
    /// Any JSON value.
    case anything
    /// A list, or with `orOne` a single element.
    case list(Shape, orOne: Bool = false)
    /// A mapping with names chosen by the author.
    case names(Shape)
    /// A mapping with these keys.
    case table(KeyTable)
    /// A word, or a mapping with these keys.
    case wordOrTable([String], KeyTable)
    /// A text, or a mapping with these keys.
    case textOrTable(KeyTable)
    /// A secret text, or a mapping that names the file with it.
    case secret
    /// Nothing more (empty, or `true`), or a mapping with these keys, if there are any.
    case detail(KeyTable?)

    /// What is expected, in words.
    package var expectation: String {
        switch self {
        case .text: "a text"
        case .template: "a text"
        case .program: "a jq program"
        case .programOrWord(let words):
            "a jq program or \(MessageText.list(words.map { "'\($0)'" }, conjunction: "or"))"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .duration: "a duration such as 15m"
        case .durationOrProgram: "a duration such as 15m, or a jq program"
        case .durationOrCount: "a duration such as 90d, or a whole number"
        case .size, .sizeFrom: "a size such as 8MiB"
        case .rate: "a rate such as 180/60s"
        case .share: "a share such as 20%"
        case .choice(let words, _): MessageText.list(words, conjunction: "or")
        case .anything: "a value"
        case .list: "a list"
        case .names: "a mapping"
        case .table: "a mapping"
        case .wordOrTable(let words, _): "\(MessageText.list(words, conjunction: "or")), or a mapping"
        case .textOrTable: "a text, or a mapping"
        case .secret: "a text, or {file: PATH}"
        case .detail(let table): table == nil ? "nothing" : "nothing, or a mapping"
        }
    }

    /// The tables for the mappings inside.
    package var tables: [KeyTable] {
        switch self {
        case .secret: [Self.secretFile]
        case .table(let table), .wordOrTable(_, let table), .textOrTable(let table), .detail(let table?): [table]
        case .list(let shape, _), .names(let shape): shape.tables
        default: []
        }
    }

    /// The location of a secret that is not in the file itself.
    package static let secretFile = KeyTable(
        "a secret",
        [
            .key(
                "file",
                .text,
                required: true,
                example: "google.secret",
                "A file with nothing but the secret, relative to the folder of this one."
            )
        ]
    )

    /// Whether a value may contain a secret.
    package var holdsSecrets: Bool {
        switch self {
        case .secret: true
        case .table(let table), .wordOrTable(_, let table), .textOrTable(let table), .detail(let table?):
            table.holdsSecrets
        case .list(let shape, _), .names(let shape): shape.holdsSecrets
        default: false
        }
    }
}
