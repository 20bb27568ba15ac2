import LosslessJSON
import PlugCore

extension Shape {
    /// Whether a value has this shape; reports it if not. The contents of mappings are checked by their readers.
    package func check(_ node: YAMLNode, of key: String, _ findings: Findings) -> Bool {
        if node.isMisread { return false }
        switch self {
        case .anything: return true
        case .table, .names: return node.mapping != nil || wrongType(node, key, findings)
        case .secret where node.mapping != nil, .textOrTable where node.mapping != nil: return true
        case .wordOrTable(let words, _):
            return node.mapping != nil || node.scalar.map { words.contains($0.text) } == true
                || wrongType(node, key, findings)
        case .detail(let table):
            let isEmpty = node.scalar.map { $0.isNull || $0.bool == true } ?? node.mapping?.isEmpty
            return isEmpty == true || table != nil && node.mapping != nil || wrongType(node, key, findings)
        case .list(let element, let orOne):
            if let nodes = node.sequence {
                return nodes.reduce(true) { element.checkElement($1, of: key, findings) && $0 }
            }
            let isOne = orOne && (node.scalar != nil || !element.tables.isEmpty && node.mapping != nil)
            return isOne ? element.check(node, of: key, findings) : wrongType(node, key, findings)
        default: break
        }
        guard let scalar = node.scalar, !scalar.isNull else { return wrongType(node, key, findings) }
        return checkScalar(scalar, node, key, findings)
    }

    /// A table inside a list is checked when it is read.
    private func checkElement(_ node: YAMLNode, of key: String, _ findings: Findings) -> Bool {
        isTable || check(node, of: key, findings)
    }

    private var isTable: Bool { if case .table = self { true } else { false } }

    private func checkScalar(_ scalar: YAMLScalar, _ node: YAMLNode, _ key: String, _ findings: Findings) -> Bool {
        switch self {
        case .integer(let range):
            guard let value = scalar.number?.int64 else { return wrongType(node, key, findings) }
            if range.contains(Int(value)) { return true }
            let bounds = range.count == 1 ? "\(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            let message = "'\(key)' must be \(bounds)"
            findings.error(.outOfRange, message, at: node.location, help: nil)
            return false
        case .boolean: return scalar.bool != nil || wrongType(node, key, findings)
        case .durationOrCount(let range) where scalar.number != nil:
            return Shape.integer(range).check(node, of: key, findings)
        case .duration, .durationOrCount:
            let duration = HumanDuration.parse(scalar.text)
            if let duration, duration > .zero { return true }
            let problem = duration == nil ? "is not a duration" : "is too short: '\(key)' must be longer than zero"
            let message = "'\(MessageText.shortened(scalar.text))' \(problem)"
            let help =
                duration == nil
                ? "write a number and a unit: 500ms, 30s, 15m, 1h, 7d or 2w" : "write more than 0, such as 500ms or 30s"
            findings.error(.badDuration, message, at: node.location, help: help)
            return false
        case .size, .sizeFrom:
            if let size = HumanSize.parse(scalar.text), sizes.contains(size) { return true }
            let help = "write \(sizesInWords)"
            findings.error(
                .notASize,
                "'\(MessageText.shortened(scalar.text))' is not a size for '\(key)'",
                at: node.location,
                help: help
            )
            return false
        case .rate:
            if RateLimit(parsing: scalar.text) != nil { return true }
            let help = "write a number, a slash and a time: 180/60s or 100/15m"
            findings.error(
                .badRate,
                "'\(MessageText.shortened(scalar.text))' is not a rate",
                at: node.location,
                help: help
            )
            return false
        case .share:
            if Self.share(scalar.text) != nil { return true }
            let message = "'\(MessageText.shortened(scalar.text))' is not a share for '\(key)'"
            let help = "write a whole number from 1 to 100 and a percent sign, such as 20%"
            findings.error(.badShare, message, at: node.location, help: help)
            return false
        case .choice(let words, let refused):
            if words.contains(scalar.text) { return true }
            let message = "'\(MessageText.shortened(scalar.text))' is not a value of '\(key)'"
            let help =
                refused[scalar.text.uppercased()] ?? MessageText.help(for: scalar.text, in: words, called: "values")
            findings.error(.wrongValue, message, at: node.location, help: help)
            return false
        default: return true
        }
    }

    /// The percentage in `20%`; `nil` for anything else.
    static func share(_ text: String) -> Int? {
        guard text.last == "%", text.first != "+", let share = Int(text.dropLast()) else { return nil }
        return (1...100).contains(share) ? share : nil
    }

    /// The permitted sizes.
    private var sizes: ClosedRange<Int> {
        if case .sizeFrom(let least) = self { least...Int.max } else { 64 << 10...16 << 30 }
    }

    private var sizesInWords: String {
        guard case .sizeFrom(let least) = self else { return "a size from 64KiB to 16GiB" }
        return least == 0
            ? "a size such as 500000, 64KiB, 8MiB or 1GiB" : "a size of \(HumanSize.notation(least)) or more"
    }

    private func wrongType(_ node: YAMLNode, _ key: String, _ findings: Findings) -> Bool {
        let message = "'\(MessageText.shortened(key))' must be \(expectation), not \(node.kindName)"
        findings.error(.wrongType, message, at: node.location, help: help(for: node))
        return false
    }

    /// The key of a table that a single value was probably intended for: its required key, or the first that takes such a value.
    /// A program may be any text, so that of several kinds none is assumed.
    private static func key(for node: YAMLNode, in table: KeyTable) -> KeySpec? {
        if let required = table.keys.first(where: \.isRequired) { return required }
        let candidates = table.kinds.isEmpty ? Array(table.keys.prefix(1)) : table.keys.filter { $0.isKind }
        return candidates.first { spec in
            if !table.kinds.isEmpty, case .program = spec.shape { return false }
            if case .anything = spec.shape { return false }
            return spec.shape.check(node, of: spec.name, Findings())
        }
    }

    /// What was probably intended by a value of another type.
    private func help(for node: YAMLNode) -> String? {
        switch self {
        case .table(let table):
            guard let scalar = node.scalar else { return nil }
            // The value may be the secret.
            if scalar.isNull || table.holdsSecrets { return "indent its keys beneath it" }
            return Self.key(for: node, in: table).map { "write {\($0.name): \(MessageText.flowScalar(scalar.text))}" }
        case .names: return node.scalar?.isNull == true ? "indent its keys beneath it" : nil
        case .wordOrTable(let words, let table):
            return node.scalar.flatMap {
                $0.isNull ? nil : MessageText.help(for: $0.text, in: words + table.kinds, called: "values")
            }
        case .program, .programOrWord, .durationOrProgram:
            guard node.scalar == nil else { return nil }
            return "YAML reads the brackets as a collection: put quotes around the program, or write it below '|'"
        case .list:
            guard let scalar = node.scalar, !scalar.isNull else { return nil }
            return "write it in brackets: [\(MessageText.shortened(scalar.text))]"
        case .integer where node.scalar?.number?.int64 == nil && node.scalar.map { Int($0.text) } ?? nil != nil:
            return "write it without quotes"
        default: return nil
        }
    }
}

extension RateLimit {
    /// Reads `180/60s`; `nil` for anything else.
    init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), (1...1_000_000).contains(count), parts[0].first != "+",
            let per = HumanDuration.parse(String(parts[1])), per > .zero
        else { return nil }
        self.init(count: count, per: per, burst: nil)
    }
}
