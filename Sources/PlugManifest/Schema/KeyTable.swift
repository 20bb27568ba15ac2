/// One mapping of the manifest language: which keys it has. The checks, the reference and the schema for editors all
/// come from these tables.
struct KeyTable: Sendable {
    /// What the mapping is called in messages, such as `a stream`.
    let name: String
    let keys: [KeySpec]

    init(_ name: String, _ keys: [KeySpec]) {
        self.name = name
        self.keys = keys
    }

    subscript(key: String) -> KeySpec? { keys.first { $0.name == key } }

    /// The keys a person may write today.
    var available: [String] { keys.filter { !$0.isReserved }.map(\.name) }
}

/// One key.
struct KeySpec: Sendable {
    let name: String
    let shape: Shape
    let isRequired: Bool
    /// One of several keys of which exactly one is to be written.
    let isKind: Bool
    /// Whether the key belongs to a later version of the language.
    let isReserved: Bool
    /// One sentence for the reference.
    let doc: String

    static func key(_ name: String, _ shape: Shape, required: Bool = false, _ doc: String) -> KeySpec {
        KeySpec(name: name, shape: shape, isRequired: required, isKind: false, isReserved: false, doc: doc)
    }

    static func kind(_ name: String, _ shape: Shape, _ doc: String) -> KeySpec {
        KeySpec(name: name, shape: shape, isRequired: false, isKind: true, isReserved: false, doc: doc)
    }

    static func later(_ names: String...) -> [KeySpec] {
        names.map {
            KeySpec(
                name: $0,
                shape: .anything,
                isRequired: false,
                isKind: false,
                isReserved: true,
                doc: "Reserved for a later version."
            )
        }
    }
}

/// What may stand behind a key.
indirect enum Shape: Sendable {
    /// A text; a plain number keeps its digits and is one too.
    case text
    /// A text with `{{ … }}`.
    case template
    /// A jq program.
    case program
    /// A jq program, or the word `none`.
    case programOrNone
    /// A whole number.
    case integer(ClosedRange<Int>)
    /// `true` or `false`.
    case boolean
    /// `30s`, `15m`, `1h`, `7d`.
    case duration
    /// `500000`, `64KiB`, `8MiB`.
    case size
    /// `180/60s`.
    case rate
    /// One of these words.
    case choice([String])
    /// Whatever JSON can say.
    case anything
    /// A list, or a single element where `orOne`.
    case list(Shape, orOne: Bool = false)
    /// A mapping with names of the author's choice.
    case names(Shape)
    /// A mapping with these keys.
    case table(KeyTable)
    /// A word, or a mapping with these keys.
    case wordOrTable([String], KeyTable)

    /// What is expected, in words.
    var expectation: String {
        switch self {
        case .text: "a text"
        case .template: "a text"
        case .program: "a jq program"
        case .programOrNone: "a jq program or 'none'"
        case .integer: "a whole number"
        case .boolean: "true or false"
        case .duration: "a duration such as 15m"
        case .size: "a size such as 8MiB"
        case .rate: "a rate such as 180/60s"
        case .choice(let words): MessageText.list(words, conjunction: "or")
        case .anything: "a value"
        case .list: "a list"
        case .names: "a mapping"
        case .table: "a mapping"
        case .wordOrTable(let words, _): "\(MessageText.list(words, conjunction: "or")), or a mapping"
        }
    }
}
