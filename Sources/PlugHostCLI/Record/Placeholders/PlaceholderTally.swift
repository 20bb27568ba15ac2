internal import LosslessJSON

/// What was done with the values of a recording, by kind, so that an author knows where to look. Each value counts once, wherever
/// it occurs.
struct PlaceholderTally {
    /// The kind of a value.
    enum Kind: CaseIterable {
        case number, time, constant, serviceAddress, address, mail, identifier, credential, name, text

        /// Singular, plural, and the member in JSON.
        fileprivate var words: (one: String, many: String, member: String) {
            switch self {
            case .number: ("number", "numbers", "numbers")
            case .time: ("time", "times", "times")
            case .constant: ("kind or constant", "kinds and constants", "constants")
            case .serviceAddress: ("address of the service", "addresses of the service", "service_addresses")
            case .address: ("other address", "other addresses", "other_addresses")
            case .mail: ("e-mail address", "e-mail addresses", "mail_addresses")
            case .identifier: ("identifier", "identifiers", "identifiers")
            case .credential: ("credential", "credentials", "credentials")
            case .name: ("name", "names", "names")
            case .text: ("longer text", "longer texts", "texts")
            }
        }
    }

    private var kept: [Kind: Set<String>] = [:]
    private var replaced: [Kind: Set<String>] = [:]

    /// Counts a value and its replacement.
    mutating func note(_ old: String, _ new: String, _ kind: Kind) {
        if old == new { kept[kind, default: []].insert(old) } else { replaced[kind, default: []].insert(old) }
    }

    /// `kept: 14 numbers, 2 addresses of the service`, and the same for replaced values, a line each.
    var text: String {
        [("kept", kept), ("replaced", replaced)].map { name, values in
            let parts = Kind.allCases.compactMap { kind in
                values[kind].map { "\($0.count) \($0.count == 1 ? kind.words.one : kind.words.many)" }
            }
            return "\(name): \(parts.isEmpty ? "nothing" : parts.joined(separator: ", "))\n"
        }.joined()
    }

    /// The kinds and constants that were kept, alphabetically and at most 40: whether one of them is personal is for a person to
    /// judge.
    var keptConstants: (shown: [String], more: Int) {
        let all = kept[.constant, default: []].sorted()
        return (Array(all.prefix(40)), max(0, all.count - 40))
    }

    /// The numbers kept and replaced, by kind.
    var json: (kept: JSONValue, replaced: JSONValue) { (Self.json(kept), Self.json(replaced)) }

    private static func json(_ values: [Kind: Set<String>]) -> JSONValue {
        .object(
            JSONObject(
                Kind.allCases.compactMap { kind in
                    values[kind].map { (JSONString(kind.words.member), .integer($0.count)) }
                }
            )
        )
    }
}

extension PlaceholderTally.Kind {
    /// The kind of a text that consists of words.
    init(ofWords text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        let hasDigits = text.contains(where: \.isNumber)
        if words.count == 1, hasDigits || text.utf8.count > 40 {
            self = .identifier
        } else {
            self = words.count > 3 || hasDigits ? .text : .name
        }
    }
}
