import PlugCore
import PlugManifest

/// The meaning of names in an expression at its place.
struct JinjaScope {
    /// The place of an expression.
    enum Place { case template, record, map, page, answer }

    /// The name of the run's time in programs over records, in a stream that is read for it.
    static let clock = "reading_time"

    var place: Place
    var config: ConfigKeys
    /// The `parameters`, which are constants.
    var parameters: [String: YAMLNode] = [:]
    /// The parents of the stream: names, and the programs for their values.
    var partitions = PartitionNames()
    /// The records of a page, for programs over it.
    var records = PageRecords()
    /// How the stream's cursor writes a time; `nil` if the stream has no bounds.
    var boundFormat: String?
    /// The names of the bounds in a slice.
    var boundNames = (start: "start_time", end: "end_time")
    /// The program for the value that led to this page; `nil` if there is none.
    var pageToken: String?
    /// The names defined by `{% set %}`.
    var locals: [String: JinjaExpression] = [:]

    /// The same scope at another place.
    func at(_ place: Place) -> JinjaScope {
        var scope = self
        scope.place = place
        return scope
    }

    /// The value at a path of names; `nil` if the first is not a root.
    func value(at path: [String]) throws(Unsayable) -> JQText? {
        guard let root = path.first else { return nil }
        let keys = Array(path.dropFirst())
        switch root {
        case "config": return try config.value(at: keys, secretly: place == .template)
        case "parameters": return try constant(at: keys)
        case "record":
            guard place == .record || place == .map else { return nil }
            return JQText(text: PathNotation.path(keys).isEmpty ? "." : keys.isEmpty ? "." : PathNotation.path(keys))
        case "response":
            guard place == .page || place == .answer else { return nil }
            return JQText(text: keys.isEmpty ? "." : PathNotation.path(keys))
        case "last_record":
            guard place == .page else { return nil }
            return JQText(text: try records.last(keys))
        case "last_page_size":
            guard place == .page, keys.isEmpty else { return nil }
            return JQText(text: try records.count(), kind: .number)
        case "headers":
            guard place == .page || place == .answer, let name = keys.first else { return nil }
            if name.lowercased() == "link" { return Self.link(Array(keys.dropFirst())) }
            return JQText(text: "headers[\(JQText.string(name.lowercased()))]", kind: .text)
        case "stream_partition", "stream_slice", "stream_interval", "partition": return try slice(keys, root)
        case "next_page_token":
            guard let pageToken, place == .template else { return nil }
            // The object as a whole exists whenever the token does, even if that is 0.
            guard keys.isEmpty else { return JQText(text: pageToken) }
            return JQText(text: "(if \(pageToken) == null then null else true end)", kind: .bool)
        default: return nil
        }
    }

    /// The Link header, the address of one of its relations, or another part of it.
    private static func link(_ keys: [String]) -> JQText {
        guard let relation = keys.first else { return JQText(text: "headers[\"link\"]", kind: .text) }
        let found =
            "[(headers[\"link\"] // \"\") | scan(\"<([^>]*)>([^<]*)\")] "
            + "| map(select(.[1] | test(\(JQText.string("rel=\"?\(relation)\"?"))))) | first"
        guard keys.count > 1 else { return JQText(text: "(\(found))") }
        if keys[1] == "url" { return JQText(text: "(\(found) | .[0]?)") }
        let part = JQText.string("\(keys[1])=\"?(?<part>[^\";,]*)")
        return JQText(text: "([\(found) | .[1]? // \"\" | capture(\(part)).part] | first)")
    }

    private func constant(at keys: [String]) throws(Unsayable) -> JQText {
        var node = keys.first.flatMap { parameters[$0] }
        for key in keys.dropFirst() { node = node?[key] }
        guard let node else { return JQText(text: "null", kind: .null) }
        return try JinjaTranslator(self).value(Self.constant(node))
    }

    private static func constant(_ node: YAMLNode) -> JinjaExpression {
        if let elements = node.sequence { return .list(elements.map(constant)) }
        if let entries = node.mapping {
            return .mapping(entries.map { JinjaPair(key: .text($0.key), value: constant($0.value)) })
        }
        guard let scalar = node.scalar else { return JinjaExpression.none }
        return PythonLiteral.expression(scalar) ?? .text(scalar.text)
    }

    private func slice(_ keys: [String], _ root: String) throws(Unsayable) -> JQText? {
        // In Airbyte every name but one is the whole slice, including the partition's.
        if root != "partition", root != "stream_partition" || partitions.value(at: keys) == nil,
            let bound = try bound(keys)
        {
            return bound
        }
        if keys.isEmpty { return nil }
        guard place != .answer else {
            throw Unsayable("what a request is made for cannot be seen by rules for answers")
        }
        return partitions.value(at: keys).map { JQText(text: $0) } ?? JQText(text: "null", kind: .null)
    }

    private func bound(_ keys: [String]) throws(Unsayable) -> JQText? {
        guard let boundFormat, keys.count == 1 else { return nil }
        guard place == .template || place == .map else {
            throw Unsayable("the bounds of a request can be seen by templates and by 'map' only")
        }
        let name: String
        switch keys[0] {
        case boundNames.start, "start_time": name = "since"
        case boundNames.end, "end_time": name = "until"
        default: return nil
        }
        let format = try PythonTime.format(boundFormat)
        return JQText(
            text: "\(name) | time(\(JQText.string(format)))",
            kind: format.hasPrefix("epoch") ? .number : .text,
            isAtom: false
        )
    }
}
