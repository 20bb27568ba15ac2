import PlugCore
import PlugManifest

/// Selectors, filters and transformations as `records`, `drop_if` and `map`.
struct AirbyteRecords {
    let scope: JinjaScope
    /// The program of `records`.
    private(set) var records = "."
    /// The program of `drop_if`.
    private(set) var dropIf: String?
    /// The steps of `map`.
    private(set) var steps: [String] = []
    /// The steps from transformations and filters.
    private var seen: [String] = []
    /// The condition that `drop_if` negates.
    private var condition: String?
    /// The members that steps change; `nil` for any.
    private var changed: Set<String>? = []
    /// Whether a step drops records.
    private var mapDrops = false
    /// The schema for casting members.
    private var schema: Component?
    /// The values that transformations add as members, by name.
    private(set) var added: [String: JQText] = [:]
    /// The same, as in the source: a missing value there is not an empty text.
    private(set) var copied: [String: JQText] = [:]
    /// Members that identify a record in Airbyte but are made from the clock alone: they differ in each reading.
    private(set) var madeUp: Set<String> = []
    private var keys: [String] = []
    /// The path to the records; `nil` if expressions produce them, or if there are several paths.
    private var path: [String]? = []
    /// Whether a transformation may rename members.
    private(set) var renames = false

    init(scope: JinjaScope) { self.scope = scope }

    /// Whether a program over records uses the time.
    var seesClock: Bool { (steps + [dropIf ?? ""]).contains { $0.contains(JinjaScope.clock) } }

    /// The program of `map`.
    var map: String? { steps.isEmpty ? nil : steps.joined(separator: " | ") }

    /// The same without members made of the end of a window, which is another one in each run.
    var mapWithoutEnd: String? {
        let steps = steps.filter { !$0.names("until") }
        return steps.isEmpty ? nil : steps.joined(separator: " | ")
    }

    /// - Parameters:
    ///   - selector: The selector of records in an answer.
    ///   - transformations: The transformations of records.
    ///   - schema: The schema loader for casts.
    ///   - keys: The members that identify a record.
    ///   - filtersLate: Whether a filter sees transformed records unless the manifest says otherwise.
    mutating func read(
        selector: Component?,
        transformations: [Component],
        schema: Component?,
        keys: [String],
        filtersLate: Bool
    ) throws(Unsayable) {
        self.keys = keys
        guard let selector else { throw Unsayable("there is no 'record_selector'") }
        guard selector.type == "RecordSelector" || selector.type == nil else {
            throw Unsayable("the selector '\(selector.type ?? "")' has no counterpart", line: selector.line)
        }
        try extract(try selector.member("extractor"))
        let late = try selector.member("transform_before_filtering")?.isTrue ?? filtersLate
        let filter = try selector.member("record_filter")
        if let filter, !late { try self.filter(filter, late: false) }
        for transformation in transformations {
            do throws(Unsayable) { try transform(transformation) } catch {
                throw Unsayable(error.reason, line: error.line ?? transformation.line)
            }
        }
        if let filter, late { try self.filter(filter, late: true) }
        seen = steps
        try cast(try selector.member("schema_normalization"), schema)
        try renameIdentity(try schema?.member("schema")?.own("properties"))
    }

    private mutating func cast(_ casts: Component?, _ schema: Component?) throws(Unsayable) {
        guard let casts, casts.text != "None" else { return }
        guard casts.text == "Default" else {
            throw Unsayable("the casts '\(casts.type ?? casts.text ?? "")' have no counterpart", line: casts.line)
        }
        guard let program = try AirbyteCasts.program(schema) else { return }
        steps.append(program)
        self.schema = schema
    }

    /// A record in a PDA has an `_id` of its own: the source's is renamed.
    private mutating func renameIdentity(_ properties: Component?) throws(Unsayable) {
        guard keys.contains("_id") || properties?.node["_id"] != nil || mayMakeIdentity else { return }
        let name = properties?.node["source_id"] == nil ? "source_id" : "source_id_"
        identity = name
        steps.append("if has(\"_id\") then .\(name) = ._id | del(._id) else . end")
    }

    // MARK: - Extraction

    private mutating func extract(_ extractor: Component?) throws(Unsayable) {
        guard let extractor else { throw Unsayable("there is no 'extractor'") }
        guard extractor.type == "DpathExtractor" || extractor.type == nil else {
            throw Unsayable("the extractor '\(extractor.type ?? "")' has no counterpart", line: extractor.line)
        }
        if let expander = try extractor.member("record_expander") {
            throw Unsayable("'record_expander' has no counterpart", line: expander.line)
        }
        var program = ""
        var isMany = false
        for step in try extractor.list("field_path") {
            guard let text = step.text else { continue }
            if text == "*" || text == "**" {
                path = nil
                if text == "**" { throw Unsayable("'**' in a path has no counterpart", line: step.line) }
                program += program.isEmpty ? ".[]?" : "[]?"
                isMany = true
                continue
            }
            let template = try JinjaTemplate(text, scope.at(.record))
            if let constant = template.constant {
                guard !constant.contains(where: { "*?[".contains($0) }) else {
                    throw Unsayable("a pattern in a path has no counterpart", line: step.line)
                }
                path?.append(constant)
                // In Airbyte a number is a position in a list, and never the name of a member.
                if let index = Int(constant), String(index) == constant, index >= 0 {
                    let element = "if type == \"array\" then .[\(index)] else null end"
                    program = "(\(program.isEmpty ? "" : "\(program) | ")\(element))"
                    continue
                }
                let next = PathNotation.step(constant)
                program += program.isEmpty && !next.hasPrefix(".") ? "." + next : next
                // Elements that are not objects have no members.
                if isMany { program += "?" }
            } else {
                path = nil
                let key = try template.program()
                program += (program.isEmpty ? "." : "") + "[\(key.text)]"
            }
        }
        if program.isEmpty { return }
        records = isMany ? "[\(program) // empty]" : "\(program) // []"
    }

    /// The records as `last_record` and `last_page_size` see them.
    var page: PageRecords {
        PageRecords(
            list: records == "." ? "(if type == \"array\" then . else [.] end)" : "(\(records))",
            isWhole: records == ".",
            filter: condition,
            map: seen.isEmpty ? nil : seen.joined(separator: " | "),
            changed: changed,
            mapDrops: mapDrops,
            schema: schema
        )
    }

    /// XML elements: those at the path are the records. Airbyte trims their texts, and empty ones are `null`.
    ///
    /// - Returns: The value of `decode`.
    mutating func takeElements() throws(Unsayable) -> PlugYAML {
        guard let path, !path.isEmpty, path.allSatisfy(Self.isElementName) else {
            throw Unsayable("an extractor that does not name the elements of XML has no counterpart")
        }
        records =
            "def texts: if type == \"object\" then with_entries(if .key | startswith(\"@\") then . else .value |= texts end) "
            + "elif type == \"array\" then map(texts) elif . == null then . else trim | if . == \"\" then null else . end end; texts | values"
        return .members(("xml", .members(("records", .text("/" + path.joined(separator: "/"))))))
    }

    private static func isElementName(_ name: String) -> Bool {
        name.first.map { $0.isLetter || $0 == "_" } == true
            && name.allSatisfy { $0.isLetter || $0.isNumber || "_-.:".contains($0) }
    }

    /// In Airbyte, lines of text are members of that name.
    mutating func takeLines() {
        if records == "." { records = "{record: .line}" }
    }

    // MARK: - Filters

    private mutating func filter(_ filter: Component, late: Bool) throws(Unsayable) {
        guard filter.type == "RecordFilter" || filter.type == nil else {
            throw Unsayable("the filter '\(filter.type ?? "")' has no counterpart", line: filter.line)
        }
        guard let text = try filter.member("condition")?.text else { return }
        do throws(Unsayable) {
            if !late, let program = try? JinjaTemplate(text, scope.at(.record)).condition() {
                condition = program
                dropIf = "\(program) | not"
                return
            }
            mapDrops = true
            steps.append("select(\(try JinjaTemplate(text, scope.at(.map)).condition()))")
        } catch {
            throw Unsayable(error.reason, line: error.line ?? filter.line)
        }
    }

    // MARK: - Transformations

    private mutating func transform(_ transformation: Component) throws(Unsayable) {
        var condition: String?
        if let text = try transformation.member("condition")?.text, !text.isEmpty {
            condition = try JinjaTemplate(text, scope.at(.map)).condition()
        }
        func guarded(_ step: String) -> String { condition.map { "if \($0) then \(step) else . end" } ?? step }
        switch transformation.type {
        case "AddFields":
            for field in try transformation.list("fields") {
                let step = try adding(field)
                if step != "." { steps.append(guarded(step)) }
                change(try field.list("path").first?.text)
            }
        case "RemoveFields":
            if let condition, condition.contains("property") {
                throw Unsayable("a condition over the value that is removed has no counterpart")
            }
            for pointer in try transformation.list("field_pointers") {
                steps.append(guarded(try removal(pointer)))
                change(try pointer.elements?.first?.text)
            }
        case "KeysToLower":
            renameAll()
            steps.append(guarded("with_entries(.key |= ascii_downcase)"))
        case "KeysToSnakeCase":
            renameAll()
            mayMakeIdentity = true
            steps.append(guarded("(\(KeyPrograms.snakeCase); renamed)"))
        case "KeysReplace":
            renameAll()
            let old = try JinjaTemplate(try transformation.member("old")?.text ?? "", scope.at(.map)).program()
            let new = try JinjaTemplate(try transformation.member("new")?.text ?? "", scope.at(.map)).program()
            steps.append(guarded("(\(old.atom) as $old | \(new.atom) as $new | \(KeyPrograms.replacing); renamed)"))
        case "FlattenFields":
            renameAll()
            mayMakeIdentity = true
            let keepsLists = (try transformation.member("flatten_lists"))?.isFalse == true
            steps.append(guarded("(\(KeyPrograms.flat); flat(\(!keepsLists)))"))
        case "DpathFlattenFields": steps.append(guarded(try flattened(transformation)))
        case let type?: throw Unsayable("the transformation '\(type)' has no counterpart")
        case nil: throw Unsayable("a transformation has no 'type'")
        }
    }

    /// Notes that a step changes a member, or any if its name is a pattern.
    private mutating func change(_ member: String?) {
        if let member, !member.contains("*") { changed?.insert(member) } else { changed = nil }
    }

    /// Whether other names for members may make an `_id` that neither the key nor the schema names.
    private var mayMakeIdentity = false
    /// The delivered name of a member `_id`, if it is renamed.
    private(set) var identity: String?

    private mutating func renameAll() { (renames, changed) = (true, nil) }

    private mutating func adding(_ field: Component) throws(Unsayable) -> String {
        let path = try field.list("path").compactMap(\.text)
        guard !path.isEmpty else { throw Unsayable("a member that is added has no 'path'", line: field.line) }
        guard !path.contains(where: { $0.contains("*") }) else {
            throw Unsayable("a path with '*' for a member that is added has no counterpart", line: field.line)
        }
        if path.dropFirst().contains(where: { Int($0) != nil }) {
            throw Unsayable("a number in the path of a member that is added has no counterpart", line: field.line)
        }
        let text = try field.member("value")?.text ?? ""
        if path.count == 1, keys.contains(path[0]), Self.isClock(try JinjaTemplate(text, scope)) {
            madeUp.insert(path[0])
            return "."
        }
        do throws(Unsayable) {
            let type = AddedType(try field.member("value_type")?.text)
            let template = try JinjaTemplate(text, scope.at(.map))
            var value = try template.program()
            let original = value
            if template.constant != nil {
                if let literal = PythonLiteral.expression(text), type.takes(literal) {
                    value = try JinjaTranslator(scope.at(.map)).value(literal)
                }
            } else {
                if let only = template.only {
                    value = Self.emptyWhereMissing(only, value)
                    if case .member = only, JinjaTranslator(scope.at(.map)).isOpen(only) {
                        value = JQText(text: "\(value.atom) // \"\"", isAtom: false)
                    }
                }
                value = type.applied(to: value, isJSON: template.only?.isJSON == true)
            }
            if path.count == 1 { (added[path[0]], copied[path[0]]) = (value, original) }
            return "\(PathNotation.path(path)) = \(value.atom)"
        } catch {
            throw Unsayable(error.reason, line: error.line ?? field.line)
        }
    }

    /// In Airbyte, a missing member of a record or a parent is an empty text.
    private static func emptyWhereMissing(_ expression: JinjaExpression, _ value: JQText) -> JQText {
        guard case .member = expression, let path = expression.path, let key = path.last else { return value }
        if value.kind == .null, path[0].hasPrefix("stream_") || path[0] == "parameters" {
            return JQText(text: "\"\"", kind: .text)
        }
        guard path[0] == "record" else { return value }
        let member = "has(\(JQText.string(key))) then \(PathNotation.path([key])) else \"\" end"
        if path.count == 2 { return JQText(text: "(if \(member))") }
        let parent = PathNotation.path(Array(path.dropFirst().dropLast()))
        return JQText(text: "(\(parent) | if type == \"object\" and \(member))")
    }

    /// Whether a value is the time, and uses nothing of the record.
    private static func isClock(_ template: JinjaTemplate) -> Bool {
        guard let only = template.only else { return false }
        var (looksAtClock, looksElsewhere) = (false, false)
        only.visit { expression in
            switch expression {
            case .name("now_utc"), .name("today_utc"): looksAtClock = true
            case .name, .member(.name, _): if expression.path != nil { looksElsewhere = true }
            default: break
            }
        }
        return looksAtClock && !looksElsewhere
    }

    private func removal(_ pointer: Component) throws(Unsayable) -> String {
        var path = ""
        var isAnywhere = false
        for (at, step) in (try pointer.elements ?? []).enumerated() {
            guard let text = step.text else { continue }
            if text == "**", at == 0 {
                isAnywhere = true
                continue
            }
            if text == "**" { throw Unsayable("'**' in a path has no counterpart", line: step.line) }
            if text == "*" {
                path += path.isEmpty ? ".[]?" : "[]?"
            } else if text.contains("*") {
                throw Unsayable("a pattern in a path has no counterpart", line: step.line)
            } else if Int(text) != nil, !path.isEmpty {
                // In Airbyte, an element removed from a list leaves null.
                throw Unsayable("a number in the path of a member that is removed has no counterpart", line: step.line)
            } else {
                let next = PathNotation.step(text)
                path += path.isEmpty && !next.hasPrefix(".") ? ".\(next)?" : "\(next)?"
            }
        }
        return isAnywhere ? "walk(if type == \"object\" then del(\(path)) else . end)" : "del(\(path))"
    }

    private mutating func flattened(_ transformation: Component) throws(Unsayable) -> String {
        let path = try transformation.list("field_path").compactMap(\.text)
        guard !path.isEmpty, !path.contains("*") else {
            throw Unsayable("'DpathFlattenFields' with '*' has no counterpart")
        }
        let change = try transformation.member("key_transformation")
        let texts = path + [try change?.member("prefix")?.text, try change?.member("suffix")?.text].compactMap(\.self)
        guard !texts.contains(where: { $0.contains("{{") || $0.contains("{%") }) else {
            throw Unsayable("'DpathFlattenFields' with expressions has no counterpart")
        }
        renameAll()
        let origin = PathNotation.path(path)
        var inner = origin
        if let change {
            let prefix = JQText.string(try change.member("prefix")?.text ?? "")
            let suffix = JQText.string(try change.member("suffix")?.text ?? "")
            inner = "(\(inner) | with_entries(.key |= \(prefix) + . + \(suffix)))"
        }
        let removes = (try transformation.member("delete_origin_value"))?.isTrue == true
        // If the record already has one of the names, nothing is changed.
        var joined = "if any($inner | keys[]; . as $key | $all | has($key)) then . "
        joined += "else \(removes ? "del(\(origin))" : ".") + $inner end"
        if (try transformation.member("replace_record"))?.isTrue == true {
            joined = "if $inner == {} then \(removes ? "del(\(origin))" : ".") else $inner end"
        }
        return "if (\(origin))? // null | type == \"object\" then . as $all | \(inner) as $inner | \(joined) else . end"
    }
}
