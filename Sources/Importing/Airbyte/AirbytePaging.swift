/// A paginator as `page`.
struct AirbytePaging {
    let scope: JinjaScope
    /// Whether answers are decoded from anything other than JSON.
    let isDecoded: Bool
    /// The value of `page`; `nil` if there is only one page.
    var page: PlugYAML?
    /// A part of the manifest that has no effect, and should be checked.
    private(set) var note: String?
    private static let onePage =
        "Airbyte's requests do not say which page they want, so all pages are the same one; the plug reads it once"
    private var injectsFirst = true
    /// The path of the request, which may send the token.
    private var path = ""
    private var token: String?

    init(scope: JinjaScope, isDecoded: Bool) {
        self.scope = scope
        self.isDecoded = isDecoded
    }

    /// The meaning of `next_page_token` in the templates of the request; `nil` if there is no next page.
    static func token(of paginator: Component?) throws(Unsayable) -> String? {
        guard let strategy = try paginator?.member("pagination_strategy") else { return nil }
        let name: String
        switch strategy.type {
        case "CursorPagination": return "(page.cursor // null)"
        case "PageIncrement": name = "page.number"
        case "OffsetIncrement": name = "page.offset"
        default: return nil
        }
        // The first page has no token, unless the manifest injects it.
        if (try strategy.member("inject_on_first_request"))?.isTrue == true { return name }
        return "(if \(name) == \(try start(of: strategy)) then null else \(name) end)"
    }

    /// The number of the first page, or 0 for an offset.
    private static func start(of strategy: Component) throws(Unsayable) -> Int {
        guard strategy.type == "PageIncrement", let text = try strategy.member("start_from_page")?.text else {
            return 0
        }
        guard let number = Int(text) else { throw Unsayable("a first page that is not a constant has no counterpart") }
        return number
    }

    mutating func read(_ paginator: Component?, _ request: inout RequestDraft, path: String) throws(Unsayable) {
        guard let paginator, paginator.type != "NoPagination" else { return }
        self.path = path
        token = try Self.token(of: paginator)
        do throws(Unsayable) { try pages(paginator, &request) } catch {
            throw Unsayable(error.reason, line: error.line ?? paginator.line)
        }
    }

    private mutating func pages(_ paginator: Component, _ request: inout RequestDraft) throws(Unsayable) {
        guard paginator.type == "DefaultPaginator" || paginator.type == nil,
            let strategy = try paginator.member("pagination_strategy")
        else { throw Unsayable("the paginator '\(paginator.type ?? "")' has no counterpart") }
        let option = try paginator.member("page_token_option")
        let isAddress = option?.type == "RequestPath"
        var place = OptionPlace?.none
        if let option, !isAddress, try Self.hasName(option, scope) { place = try OptionPlace(option, scope) }
        var sizePlace = OptionPlace?.none
        if let option = try paginator.member("page_size_option"), try Self.hasName(option, scope) {
            sizePlace = try OptionPlace(option, scope)
        }
        let size = try size(strategy)
        switch strategy.type {
        case "PageIncrement", "OffsetIncrement":
            injectsFirst = (try strategy.member("inject_on_first_request"))?.isTrue == true
            let kind = strategy.type == "PageIncrement" ? "number" : "offset"
            try counted(kind, place, sizePlace, size, try Self.start(of: strategy), isAddress, &request)
        case "CursorPagination": try cursor(strategy, place, sizePlace, size, isAddress, &request)
        case let type: throw Unsayable("the pagination '\(type ?? "")' has no counterpart", line: strategy.line)
        }
    }

    /// Whether a parameter has a name: one from a setting that is never asked for has none.
    private static func hasName(_ option: Component, _ scope: JinjaScope) throws(Unsayable) -> Bool {
        guard let name = try option.member("field_name")?.text else { return true }
        let template = try JinjaTemplate(name, scope.at(.template))
        if template.constant != nil { return true }
        return try template.program().kind != .null
    }

    private enum Size {
        case none
        case constant(Int)
        case template(String)
    }

    private func size(_ strategy: Component) throws(Unsayable) -> Size {
        guard let text = try strategy.member("page_size")?.text else { return .none }
        if let number = Int(text) { return .constant(number) }
        let template = try JinjaTemplate(text, scope)
        if case .number(let number)? = template.only, let size = Int(number) { return .constant(size) }
        return .template(try template.template(.typed))
    }

    // MARK: - Counted pages

    private mutating func counted(
        _ kind: String,
        _ place: OptionPlace?,
        _ sizePlace: OptionPlace?,
        _ size: Size,
        _ start: Int,
        _ isAddress: Bool,
        _ request: inout RequestDraft
    ) throws(Unsayable) {
        if isAddress { throw Unsayable("a path that is counted has no counterpart") }
        var known = place
        if known == nil { known = parameter(&request, start) }
        guard let place = known ?? own(kind, request) else {
            // The next request is the same as the first, and so is its answer.
            if let sizePlace { try Self.send(size, at: sizePlace, &request) }
            note = Self.onePage
            return
        }
        var members: [(String, PlugYAML?)] = []
        if !place.name.isEmpty { members.append(("param", .text(place.name))) }
        if kind == "number" { members.append(("from", .integer(start))) }
        // A list may begin elsewhere with its first number than without it.
        if !injectsFirst, !place.name.isEmpty { members.append(("omit_first", .plain("true"))) }
        var sent = false
        switch size {
        case .constant(let number):
            members.append(("size", .integer(number)))
            if let sizePlace, sizePlace.place == place.place, sizePlace.name != place.name {
                members.append(("size_param", .text(sizePlace.name)))
                sent = true
            }
        case .template, .none:
            // An offset advances by the number of records on a page, so that any size will do if it is unknown.
            if kind == "offset" { members.append(("size", .integer(1))) }
        }
        if !sent, let sizePlace { try Self.send(size, at: sizePlace, &request) }
        let entries = members.compactMap { key, value in value.map { PlugYAML.Entry(key: key, value: $0) } }
        let isPlaced = entries.contains { $0.key == "param" || $0.key == "size_param" }
        page = .members(
            (kind, .mapping(entries)),
            ("in", place.place == "query" || !isPlaced ? nil : .text(place.place))
        )
    }

    /// The place of a number that templates of the request send themselves.
    private func own(_ kind: String, _ request: RequestDraft) -> OptionPlace? {
        sends("page.\(kind)", request) ? OptionPlace(place: "query", name: "") : nil
    }

    /// Whether a template of the request, or of its path, uses a name.
    private func sends(_ name: String, _ request: RequestDraft) -> Bool {
        path.contains(name) || request.sends(name)
    }

    private static func send(_ size: Size, at place: OptionPlace, _ request: inout RequestDraft) throws(Unsayable) {
        switch size {
        case .constant(let number): try request.put(.integer(number), at: place)
        case .template(let template): try request.put(.text(template), at: place)
        case .none: break
        }
    }

    /// Removes the parameter whose whole value is the token, and returns its place.
    private mutating func parameter(_ request: inout RequestDraft, _ start: Int) -> OptionPlace? {
        guard let token, !path.contains(token) else { return nil }
        for text in ["\(token)", "\(token) // null", "\(token) // \(start)"] {
            guard let place = request.takeParameter("{{ \(text) }}") else { continue }
            // If a default is sent on the first page, that page has the number, too.
            if text.hasSuffix("// \(start)") { injectsFirst = true }
            return place
        }
        return nil
    }

    // MARK: - Tokens

    private mutating func cursor(
        _ strategy: Component,
        _ place: OptionPlace?,
        _ sizePlace: OptionPlace?,
        _ size: Size,
        _ isAddress: Bool,
        _ request: inout RequestDraft
    ) throws(Unsayable) {
        guard let text = try strategy.member("cursor_value")?.text else { throw Unsayable("'cursor_value' is missing") }
        let token = try JinjaTemplate(text, scope)
        let tokenPath = token.only?.path
        var more: String?
        if let stop = try strategy.member("stop_condition")?.text {
            let condition = try JinjaTemplate(stop, scope)
            if let only = condition.only, let tokenPath, only.isImplied(byEmpty: tokenPath) {
                // Without a token there is no next page anyway.
            } else if condition.constant?.trimmed.isEmpty == true || condition.only == .bool(false) {
            } else {
                // Airbyte has no next page without a token, whatever the condition; this is evaluated first, and may guard it.
                let goesOn = "(\(try condition.condition()) | not) and any(\(try program(token)); . != null)"
                // An answer that is a list has no members, but its headers may lead to the next page.
                more =
                    isList && condition.names("response")
                    ? "if type == \"object\" then \(goesOn) else false end" : goesOn
            }
        }
        if isAddress {
            if let sizePlace { try Self.send(size, at: sizePlace, &request) }
            if tokenPath == ["headers", "link", "next", "url"] {
                page = .members(("link", .text("next")), ("more", more.map(PlugYAML.program)))
            } else {
                page = .members(
                    ("next", .program(try program(token, guarded: more != nil))),
                    ("more", more.map(PlugYAML.program))
                )
            }
            return
        }
        if tokenPath == ["headers", "link", "next", "url"] {
            throw Unsayable("the address in a Link header as a parameter has no counterpart")
        }
        var members: [(String, PlugYAML?)] = [("from", .program(try program(token, guarded: more != nil)))]
        if let place { members.append(("param", .text(place.name))) }
        var sent = false
        if case .constant(let number) = size {
            if let place, let sizePlace, place.place == sizePlace.place {
                members += [("size", .integer(number)), ("size_param", .text(sizePlace.name))]
                sent = true
            }
        }
        if !sent, let sizePlace { try Self.send(size, at: sizePlace, &request) }
        if place == nil, !sends("page.cursor", request) {
            note = Self.onePage
            return
        }
        let entries = members.compactMap { key, value in value.map { PlugYAML.Entry(key: key, value: $0) } }
        page = .members(
            ("cursor", .mapping(entries)),
            ("in", place.flatMap { $0.place == "query" ? nil : .text($0.place) }),
            ("more", more.map(PlugYAML.program))
        )
    }

    // MARK: - Parameters of pages after the first

    /// An address gets the request's parameters that it lacks.
    mutating func keepParameters(_ request: RequestDraft, _ since: PlugYAML?) {
        let bounds = [since?["send"], since?["until"]].flatMap { $0?.keys ?? [] }
        guard isAddressed, !request.query.isEmpty || bounds.contains("query") else { return }
        add("add_query", .plain("true"))
    }

    /// Parameters that only the first page gets.
    mutating func limitToFirst(_ names: [String]) {
        // Numbers and offsets count within one list, which all of its requests ask for alike.
        guard !names.isEmpty, page?["cursor"] != nil || page?["add_query"] != nil else { return }
        add("only_first", .list(names.map(PlugYAML.text)))
    }

    private var isAddressed: Bool { page?["next"] != nil || page?["link"] != nil }

    private mutating func add(_ key: String, _ value: PlugYAML) {
        guard case .mapping(var entries)? = page else { return }
        entries.append(PlugYAML.Entry(key: key, value: value))
        page = .mapping(entries)
    }

    /// Whether an answer may itself be the list of records.
    private var isList: Bool { scope.records.isWhole }

    /// The program of a token: a value that counts as false is not a token.
    private func program(_ token: JinjaTemplate, guarded: Bool = false) throws(Unsayable) -> String {
        let program = try token.program()
        if isDecoded, program.text.contains(".") {
            throw Unsayable("a token in an answer that is not JSON has no counterpart")
        }
        if token.only?.path?.first == "response", isList {
            // An answer that is a list has no members, and so no token.
            return "if type == \"object\" then \(program.text) else null end | select(IN(\"\", 0, {}, []) | not)"
        }
        if token.only?.path != nil, program.isAtom, !program.text.contains(" ") {
            return "\(program.text) | select(IN(\"\", 0, {}, []) | not)"
        }
        // If the condition has ended the list, the token may have no value; otherwise 'more' fails with it.
        return "\(guarded ? "(\(program.text))?" : program.atom) | select(IN(\"\", 0, {}, []) | not)"
    }
}

extension PlugYAML {
    /// Whether a text in it contains a name.
    func contains(_ name: String) -> Bool {
        switch self {
        case .text(let text), .program(let text), .plain(let text): text.contains(name)
        case .list(let elements): elements.contains { $0.contains(name) }
        case .mapping(let entries): entries.contains { $0.value.contains(name) }
        }
    }
}

extension RequestDraft {
    /// Whether a template in it uses a name.
    func sends(_ name: String) -> Bool { written(path: "").contains(name) }

    /// Removes the parameter, of the query or the body, whose value is a certain text.
    fileprivate mutating func takeParameter(_ text: String) -> OptionPlace? {
        if let at = query.firstIndex(where: { $0.value == .text(text) }) {
            return OptionPlace(place: "query", name: query.remove(at: at).key)
        }
        let texts: [PlugYAML] = [.text(text), .text(AirbyteRequest.ifAny(text))]
        guard case .mapping(var entries)? = json, let at = entries.firstIndex(where: { texts.contains($0.value) })
        else {
            return nil
        }
        let name = entries.remove(at: at).key
        json = .mapping(entries)
        return OptionPlace(place: "json", name: name)
    }
}

extension JinjaExpression {
    /// Whether the condition holds only if the value at a path is missing, or counts as false.
    func isImplied(byEmpty path: [String]) -> Bool {
        func leads(_ expression: JinjaExpression) -> Bool {
            guard let other = expression.path, other.count > 1 else { return false }
            return path.starts(with: other)
        }
        switch self {
        case .not(.binary("in", .text(let key), let owner)):
            return owner.path.map { path.starts(with: $0 + [key]) } ?? false
        case .not(.test(let inner, "defined", _)): return leads(inner)
        case .not(let inner): return leads(inner)
        case .test(let inner, "none", _): return leads(inner)
        case .binary("==", let left, let right):
            return (right.isEmptyLiteral && leads(left)) || (left.isEmptyLiteral && leads(right))
        case .binary("or", let left, let right):
            return left.isImplied(byEmpty: path) && right.isImplied(byEmpty: path)
        case .binary("and", let left, let right):
            return left.isImplied(byEmpty: path) || right.isImplied(byEmpty: path)
        default: return false
        }
    }
}
