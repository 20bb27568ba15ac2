import PlugCore

/// Partition routers as `for_each`.
struct AirbytePartitions {
    /// Finds the plug's stream for a stream of the manifest, to be read as a parent.
    typealias FindParent = (Component) throws(Unsayable) -> StreamDraft

    /// The parts of `for_each`.
    private(set) var parts: [PlugYAML] = []
    /// The names that expressions use for them.
    private(set) var names = PartitionNames()
    /// The parents of the stream.
    private(set) var parents: [String] = []
    /// Parameters that are sent for each: the place, and the value.
    private(set) var sent: [(place: OptionPlace, value: PlugYAML)] = []
    private var isGrouped = false

    private let scope: JinjaScope
    /// Whether the stream has a cursor: in Airbyte only its state keeps that of a parent.
    private let hasCursor: Bool
    private let find: FindParent
    /// The names of a parent's own parents, by its name in the plug.
    private let namesOf: (String) -> PartitionNames

    init(
        _ scope: JinjaScope,
        hasCursor: Bool,
        find: @escaping FindParent,
        names: @escaping (String) -> PartitionNames
    ) {
        self.scope = scope
        self.hasCursor = hasCursor
        self.find = find
        namesOf = names
    }

    /// The value of `for_each`; `nil` if there is none.
    ///
    /// In combinations, no one knows which part has changed, so all of them are read.
    var forEach: PlugYAML? {
        if parts.count < 2 { return parts.first }
        return .list(
            parts.map { part in
                guard case .mapping(let entries) = part else { return part }
                return .mapping(entries.filter { $0.key != "only" })
            }
        )
    }

    mutating func read(_ router: Component?) throws(Unsayable) {
        guard let router else { return }
        if let routers = try router.elements {
            for router in routers { try read(router) }
            return
        }
        do throws(Unsayable) {
            switch router.type {
            case "ListPartitionRouter": try list(router)
            case "SubstreamPartitionRouter": try substream(router, group: nil)
            case "GroupingPartitionRouter": try grouping(router)
            case let type: throw Unsayable("the partition router '\(type ?? "")' has no counterpart")
            }
        } catch {
            throw Unsayable(error.reason, line: error.line ?? router.line)
        }
    }

    /// Programs over records cannot see the clock, but they see parents: here a list with only the time.
    mutating func readForTime() {
        parts.append(.members(("list", .text("{{ [now] }}")), ("as", .text(JinjaScope.clock))))
    }

    // MARK: - Lists

    private mutating func list(_ router: Component) throws(Unsayable) {
        guard let field = try router.member("cursor_field")?.text, let values = try router.member("values") else {
            throw Unsayable("a list lacks 'values' or 'cursor_field'")
        }
        var scope = scope
        scope.parameters = router.parameters
        let name = unused(try JinjaTemplate(field, scope).constant ?? field)
        let list: PlugYAML
        if let elements = try values.elements {
            var texts: [PlugYAML] = []
            for element in elements {
                guard let text = element.text else {
                    throw Unsayable("a list with an element that is not a text has no counterpart")
                }
                let written = try JinjaTemplate(text, scope).template(.typed)
                texts.append(!element.isText && element.integer != nil ? .plain(text) : .text(written))
            }
            if texts.contains(where: { $0.contains("{{") }) {
                var programs: [String] = []
                for element in elements { programs.append(try JinjaTemplate(element.text ?? "", scope).program().text) }
                list = .text("{{ [\(programs.joined(separator: ", "))] }}")
            } else {
                list = .list(texts)
            }
        } else {
            let text = values.text ?? ""
            if let constant = try JinjaTemplate(text, scope).constant {
                guard let parsed = try? JinjaParser.expression(in: Array(constant.unicodeScalars)[...]) else {
                    throw Unsayable("the values of a list are no list")
                }
                list = .text("{{ \(try JinjaTranslator(scope).value(parsed).text) }}")
            } else {
                list = .text(try JinjaTemplate(text, scope).template(.typed))
            }
        }
        parts.append(.members(("list", list), ("as", .text(name))))
        names.values[field] = name
        if let option = try router.member("request_option") {
            sent.append((try OptionPlace(option, scope), .text("{{ \(name) }}")))
        }
    }

    // MARK: - Streams

    private mutating func grouping(_ router: Component) throws(Unsayable) {
        guard let size = try router.member("group_size")?.integer,
            let inner = try router.member("underlying_partition_router"), inner.type == "SubstreamPartitionRouter"
        else { throw Unsayable("a group of something else than records of a stream has no counterpart") }
        guard (2...1000).contains(size) else { throw Unsayable("a group of \(size) has no counterpart") }
        try substream(inner, group: size)
    }

    private mutating func substream(_ router: Component, group: Int?) throws(Unsayable) {
        let configurations = try router.list("parent_stream_configs")
        if configurations.count > 1 { return try several(configurations, group) }
        guard let configuration = configurations.first else { throw Unsayable("'parent_stream_configs' is empty") }
        let (parent, key, field) = try parent(configuration)
        let name = unused(field, beside: namesOf(parent.name).roots)
        let isWanted = (try configuration.member("incremental_dependency"))?.isTrue == true
        let isChanged = isWanted && hasCursor && parent.hasSince
        parts.append(
            .members(
                ("in", .text(parent.name)),
                ("as", .text(name)),
                ("only", isChanged ? .text("changed") : nil),
                ("skip_if", key.skipped),
                ("group", group.map(PlugYAML.integer))
            )
        )
        let value = group == nil ? key.value(of: name) : "[\(name)[] | \(key.program)]"
        names.values[field] = value
        names.above[parent.name] = namesOf(parent.name)
        for extra in try configuration.list("extra_fields") {
            let steps = (try extra.elements ?? []).compactMap(\.text)
            guard let last = steps.last else { continue }
            let value = ParentMember(steps, of: parent).value(of: name)
            names.extras[steps.joined(separator: ".")] = value
            names.extras[last] = value
        }
        if let option = try configuration.member("request_option") {
            sent.append((try OptionPlace(option, scope), .text("{{ \(value) }}")))
        }
        parents.append(parent.name)
    }

    /// The records of several streams combined.
    private mutating func several(_ configurations: [Component], _ group: Int?) throws(Unsayable) {
        if group != nil { throw Unsayable("a group of records of several streams has no counterpart") }
        var sources: [PlugYAML] = []
        var keys: Set<ParentMember> = []
        var fields: [String] = []
        for configuration in configurations {
            let (parent, key, field) = try parent(configuration)
            sources.append(.members(("in", .text(parent.name))))
            parents.append(parent.name)
            keys.insert(key)
            fields.append(field)
            for odd in ["extra_fields", "request_option"] {
                if let odd = try configuration.member(odd) {
                    throw Unsayable(
                        "a parameter or other members of one of several parents have no counterpart",
                        line: odd.line
                    )
                }
            }
        }
        guard keys.count == 1, let key = keys.first, Set(fields).count == 1, let field = fields.first else {
            throw Unsayable("several parents with different keys or names have no counterpart: equal keys would be one")
        }
        let name = unused(field)
        parts.append(.members(("any_of", .list(sources)), ("as", .text(name)), ("skip_if", key.skipped)))
        names.values[field] = key.value(of: name)
    }

    private func parent(_ configuration: Component) throws(Unsayable) -> (StreamDraft, key: ParentMember, field: String)
    {
        guard let stream = try configuration.member("stream"), let key = try configuration.member("parent_key")?.text,
            let field = try configuration.member("partition_field")?.text
        else { throw Unsayable("a parent lacks 'stream', 'parent_key' or 'partition_field'", line: configuration.line) }
        if let pointer = try configuration.member("lazy_read_pointer"), try pointer.elements?.isEmpty != true {
            throw Unsayable("'lazy_read_pointer' has no counterpart", line: pointer.line)
        }
        let parent = try find(stream)
        let template = try JinjaTemplate(key, scope)
        guard let constant = template.constant else {
            throw Unsayable("a 'parent_key' that is not a constant has no counterpart", line: configuration.line)
        }
        let steps = constant.split(separator: "/").map(String.init)
        return (parent, ParentMember(steps, of: parent), field)
    }

    /// A name for `as` that is not taken.
    ///
    /// - Parameter others: Names of a parent's own parents.
    private func unused(_ wish: String, beside others: Set<String> = []) -> String {
        var name = String(wish.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        if name.first?.isNumber != false { name = "_" + name }
        let taken: Set<String> = [
            "config", "vars", "page", "since", "until", "now", "pass", "grant", "headers", "last", "first", "input",
            "not",
            "and", "or", "if", "then", "else", "end", "def", "reduce", "foreach", "try", "label", "import", "include",
            "as",
            "type", "length", "keys", "values", "empty", "error", "add", "any", "all", "range", "floor", "sort",
            "group",
            "module", "modulemeta", "first_", "label", "input_line_number", "splits", "test", "match", "scan", "index",
            "contains", "inside",
            "flatten", "join", "map", "path", "del", "has", "in", "select", "recurse", "tostring", "tonumber", "floor_",
            "sqrt", "pow",
            "log", "split", "ascii", "implode", "explode", "tojson", "fromjson", "todate", "fromdate", "dates", "not_",
            "nan", "null",
            "true", "false", "infinite", "isnan", "paths", "leaf_paths", "until", "while", "repeat", "builtins", "halt",
            "walk",
            "transpose", "ltrimstr", "rtrimstr", "startswith", "endswith", "combinations", "getpath", "setpath",
            "to_entries",
            "with_entries", "from_entries", "group_by", "sort_by", "unique_by", "min_by", "max_by", "strings",
            "numbers", "arrays",
            "objects", "booleans", "nulls", "iterables", "scalars", "md5", "sha1", "sha256", "hmac", "base64",
            "base64d", "abs",
            "trim", "ltrim", "rtrim", "toarray", "have_literal_numbers", "reading_time", "min", "max", "unique",
            "reverse", "env", "limit", "time", "minus", "plus", "token", "code", "month", "year",
        ]
        if taken.contains(name) { name += "_" }
        while others.contains(name) || parts.contains(where: { $0.contains(name) && $0.names(name) }) { name += "_" }
        return name
    }
}

/// A member of a parent's record, as Airbyte delivers it: in the plug, streams get it as in the source.
private struct ParentMember: Hashable {
    private let path: String
    /// The program that produces the member, if the source does not have it.
    private let map: String?
    /// Whether each record has it: the key of its stream. Airbyte leaves out records without it.
    private let isAlwaysThere: Bool
    /// The program that drops records of the parent, if its map does.
    private let dropping: String?

    init(_ steps: [String], of parent: StreamDraft) {
        path = steps.map(PathNotation.step).joined()
        isAlwaysThere = parent["key"] == .program(PathNotation.path(steps))
        map = steps.first.flatMap { parent.remakes($0) }.map(Self.inTemplate)
        dropping = parent.dropping.map(Self.inTemplate)
    }

    /// A template ends at the first '}}'. Three braces contain it twice.
    private static func inTemplate(_ program: String) -> String {
        program.replacing("}}", with: "} }").replacing("}}", with: "} }")
    }

    /// `skip_if`: parents that were dropped, or have no such member.
    var skipped: PlugYAML? {
        if let dropping {
            return .program("([\(dropping) | \(path.hasPrefix(".") ? path : "." + path)] | first) == null")
        }
        return isAlwaysThere ? nil : .program("\(map == nil ? program : "(\(program))") == null")
    }

    /// The program over the record.
    var program: String {
        let member = path.hasPrefix(".") ? path : "." + path
        return map.map { "\($0) | \(member)" } ?? member
    }

    /// The program if the record has a name.
    func value(of name: String) -> String { map == nil ? name + path : "(\(name) | \(program))" }
}

extension PlugYAML {
    /// Whether it is a part of `for_each` with this name.
    fileprivate func names(_ name: String) -> Bool {
        guard case .mapping(let entries) = self else { return false }
        return entries.contains { $0.key == "as" && $0.value == .text(name) }
    }
}
