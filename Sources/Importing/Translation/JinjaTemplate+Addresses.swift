extension JinjaTemplate {
    /// The addresses that conditions on settings choose from, each with its settings as `{{ config.name }}`; `nil` if nothing is
    /// chosen, or if they contain anything but settings.
    var chosenAddresses: [String]? {
        guard isChosen, let all = Self.alternatives(of: pieces, config) else { return nil }
        return all.reduce(into: []) { unique, one in if !unique.contains(one) { unique.append(one) } }
    }

    /// All https addresses in the expressions, or among the choices or defaults of its settings.
    var namedAddresses: [String] {
        var addresses: [String] = []
        func add(_ text: String) { if text.hasPrefix("https://") { addresses.append(text) } }
        for piece in pieces {
            piece.branchTexts.forEach(add)
            piece.visit { expression in
                if case .text(let text) = expression { add(text) }
                guard let path = expression.path, path.first == "config",
                    let key = config.key(at: Array(path.dropFirst()))
                else { return }
                for case .text(let text) in key.choices + [key.preset].compactMap(\.self) { add(text) }
            }
        }
        return addresses
    }

    /// The template, with settings that are whole addresses as hosts.
    var withHostsForAddresses: JinjaTemplate {
        guard case .output(let first)? = pieces.first else { return self }
        let chosen = first.asConditional
        guard isChosen || chosen != first else { return self }
        return replacingFirst(with: .output(Self.addressed(chosen, config)))
    }

    private var isChosen: Bool {
        var isChosen = false
        for piece in pieces {
            if case .branches = piece { isChosen = true }
            piece.visit { if case .conditional = $0 { isChosen = true } }
        }
        return isChosen
    }

    /// More alternatives than this are not a choice between services.
    private static let limit = 64

    private static func alternatives(of pieces: [JinjaPiece], _ config: ConfigKeys) -> [String]? {
        var texts = [""]
        for piece in pieces {
            let next: [String]?
            switch piece {
            case .text(let text): next = [text]
            case .output(let expression): next = alternatives(of: expression, config)
            case .set: next = [""]
            case .branches(let branches, let otherwise):
                next = (branches.map(\.pieces) + [otherwise]).reduce([]) { all, one in
                    all.flatMap { known in alternatives(of: one, config).map { known + $0 } }
                }
            }
            guard let next, let all = joined(texts, next) else { return nil }
            texts = all
        }
        return texts
    }

    private static func alternatives(of expression: JinjaExpression, _ config: ConfigKeys) -> [String]? {
        if let path = expression.path, path.first == "config" {
            guard let key = config.key(at: Array(path.dropFirst())), !key.isSecret else { return nil }
            return ["{{ config.\(key.name) }}"]
        }
        switch expression {
        case .text(let text): return [text]
        case .conditional(_, let then, let otherwise):
            guard let then = alternatives(of: then, config) else { return nil }
            guard let otherwise else { return then + [""] }
            return alternatives(of: otherwise, config).map { then + $0 }
        case .binary("+", let left, let right), .binary("~", let left, let right):
            guard let left = alternatives(of: left, config), let right = alternatives(of: right, config) else {
                return nil
            }
            return joined(left, right)
        case .call(.member(.text(let format), "format"), let arguments):
            let pieces = format.split(separator: "{}", omittingEmptySubsequences: false).map(String.init)
            guard pieces.count == arguments.count + 1 else { return nil }
            var texts = [pieces[0]]
            for (argument, piece) in zip(arguments, pieces.dropFirst()) {
                guard let values = alternatives(of: argument.value, config), let all = joined(texts, values) else {
                    return nil
                }
                texts = all.map { $0 + piece }
            }
            return texts
        default: return nil
        }
    }

    private static func joined(_ left: [String], _ right: [String]) -> [String]? {
        guard left.count * right.count <= limit else { return nil }
        return left.flatMap { first in right.map { first + $0 } }
    }

    /// The expression with `https://` before each setting that it begins with.
    private static func addressed(_ expression: JinjaExpression, _ config: ConfigKeys) -> JinjaExpression {
        if let path = expression.path, path.first == "config" {
            // An address with a path is more than a host.
            let isHost = config.key(at: Array(path.dropFirst()))?.isHost(before: "") != false
            return isHost ? .binary("~", .text("https://"), expression) : expression
        }
        switch expression {
        case .conditional(let condition, let then, let otherwise):
            return .conditional(
                condition,
                then: addressed(then, config),
                otherwise: otherwise.map { addressed($0, config) }
            )
        case .binary("~", let setting, .text(let path))
        where setting.path?.first == "config"
            && config.key(at: Array(setting.path?.dropFirst() ?? []))?.isHost(before: path) == true:
            return .binary("~", .binary("~", .text("https://"), setting), .text(path))
        case .binary("+", let left, let right): return .binary("+", addressed(left, config), right)
        case .binary("~", let left, let right): return .binary("~", addressed(left, config), right)
        default: return expression
        }
    }
}

extension JinjaExpression {
    /// A setting with a default, as the condition that it is.
    fileprivate var asConditional: JinjaExpression {
        func chosen(_ setting: JinjaExpression, _ other: JinjaExpression) -> JinjaExpression {
            guard setting.path?.first == "config" else { return self }
            // The person gives a host, and the path of the default belongs to it.
            let rest = other.constantText.map { $0.dropFirst("https://".count).drop { $0 != "/" } } ?? ""
            let address = rest.count > 1 ? .binary("~", setting, .text(String(rest))) : setting
            return .conditional(setting, then: address, otherwise: other.asConditional)
        }
        switch self {
        case .binary("or", let setting, let other): return chosen(setting, other)
        case .filter(let setting, "default", let arguments), .filter(let setting, "d", let arguments):
            return arguments.first.map { chosen(setting, $0.value) } ?? self
        case .call(.member(let owner, "get"), let arguments):
            guard arguments.count == 2, case .text(let key) = arguments[0].value, !arguments[1].value.isEmptyLiteral
            else {
                return self
            }
            return chosen(.member(owner, key), arguments[1].value)
        case .binary(let sign, let left, let right) where sign == "+" || sign == "~":
            return .binary(sign, left.asConditional, right)
        default: return self
        }
    }
}

extension ConfigKeys.Key {
    /// Whether it can be a host: it has no choices, and its default, if that is an address, has the path that follows.
    fileprivate func isHost(before path: String) -> Bool {
        guard choices.isEmpty else { return false }
        guard case .text(let address)? = preset, let scheme = address.firstRange(of: "://") else { return true }
        let rest = address[scheme.upperBound...].drop { $0 != "/" }
        return rest.count < 2 && path.isEmpty || rest == path
    }
}
