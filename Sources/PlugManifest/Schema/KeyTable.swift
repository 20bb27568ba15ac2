/// One mapping of the manifest language: which keys it has.
///
/// The tables are the truth about the language. The validator checks against them; the JSON Schema (`KeyTables+Schema`) and
/// the reference page (`KeyTables+Reference`) are written from them, and tests hold `plug.yaml.example` against them.
struct KeyTable: Sendable {
    /// What the mapping is called in messages, such as `a stream`.
    let name: String
    let keys: [KeySpec]
    /// Names that are no keys but that people write, and what to write instead.
    let instead: [String: String]

    init(_ name: String, _ keys: [KeySpec], instead: [String: String] = [:]) {
        self.name = name
        self.keys = keys
        self.instead = instead
    }

    subscript(key: String) -> KeySpec? { keys.first { $0.name == key } }

    /// The names of the keys.
    var names: [String] { keys.map(\.name) }

    /// The keys of which exactly one must be written; empty where there is no such choice.
    var kinds: [String] { keys.filter(\.isKind).map(\.name) }

    /// The name without its article, as a word: `stream`, `config-key`.
    var identifier: String {
        let words = name.split(separator: " ")
        return words.drop { $0 == "a" || $0 == "an" }.joined(separator: "-")
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
    /// A jq program, or one of these words.
    case programOrWord([String])
    /// A whole number.
    case integer(ClosedRange<Int>)
    /// `true` or `false`.
    case boolean
    /// `30s`, `15m`, `1h`, `7d`.
    case duration
    /// A duration, or else a jq program.
    case durationOrProgram
    /// `500000`, `64KiB`, `8MiB`.
    case size
    /// `180/60s`.
    case rate
    /// `20%`: from 1 to 100 of a hundred.
    case share
    /// One of these words. Of words that people write and that are refused, it is said why.
    case choice([String], refused: [String: String] = [:])
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
    /// Nothing more (empty, or `true`), or a mapping with these keys, if there are any.
    case detail(KeyTable?)

    /// What is expected, in words.
    var expectation: String {
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
        case .size: "a size such as 8MiB"
        case .rate: "a rate such as 180/60s"
        case .share: "a share such as 20%"
        case .choice(let words, _): MessageText.list(words, conjunction: "or")
        case .anything: "a value"
        case .list: "a list"
        case .names: "a mapping"
        case .table: "a mapping"
        case .wordOrTable(let words, _): "\(MessageText.list(words, conjunction: "or")), or a mapping"
        case .detail(let table): table == nil ? "nothing" : "nothing, or a mapping"
        }
    }

    /// The tables that say what may stand inside.
    var tables: [KeyTable] {
        switch self {
        case .table(let table), .wordOrTable(_, let table), .detail(let table?): [table]
        case .list(let shape, _), .names(let shape): shape.tables
        default: []
        }
    }
}
