import JQ
import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// The members of the mapped record that a stream names.
    func fields(_ node: YAMLNode?) -> [RecordField] {
        (node?.mapping ?? []).compactMap { entry in
            if let scalar = entry.value.scalar, !scalar.isNull {
                guard Shape.choice(Cast.words).check(entry.value, of: entry.key, findings) else { return nil }
                return Cast(word: scalar.text).map {
                    RecordField(name: entry.key, cast: $0, location: entry.keyLocation)
                }
            }
            guard Shape.wordOrTable(Cast.words, Tables.field).check(entry.value, of: entry.key, findings),
                let keys = CheckedMapping(entry.value, Tables.field, at: entry.keyLocation, findings),
                let kind = keys.kind(of: Tables.field, findings), let cast = cast(kind)
            else { return nil }
            let isSensitive = keys["sensitive"]?.scalar?.bool == true
            return RecordField(name: entry.key, cast: cast, isSensitive: isSensitive, location: entry.keyLocation)
        }
    }

    /// Whether the cursor, which is shown, is made from a member that must not be shown.
    func checkCursor(_ keys: CheckedMapping, _ since: Since?, _ fields: [RecordField], _ map: JQProgram?) {
        let read = fields.first { field in
            let origin = MemberOrigin(of: field.name, in: map)
            // What cannot be determined is left to the author.
            guard field.isSensitive, origin != .unknown else { return false }
            return since?.fields.contains { origin.mayBeRead(by: $0) } == true
        }
        guard let read else { return }
        let message = "'since.field' reads '\(read.name)', which is sensitive: it would be shown as the stream's cursor"
        let help = "take another member, or leave 'sensitive' out"
        findings.warn(.cursorSensitive, message, at: keys.location("since"), help: help)
    }

    /// Whether `unknown` and `raw` suit the record.
    func checkMembers(_ keys: CheckedMapping, _ map: JQProgram?) {
        let names = (keys.node["fields"]?.mapping ?? []).map(\.key)
        if let unknown = keys.text("unknown"), unknown != UnknownMembers.keep.rawValue, names.isEmpty {
            let help = "name the members that are known: 'fields: {name: any}'"
            let message = "'unknown: \(unknown)' without 'fields': every member would be unknown"
            findings.error(.unknownNeedsFields, message, at: keys.location("unknown"), help: help)
        }
        guard keys.isWritten("raw") else { return }
        if names.contains("raw") || map.map(Self.makesRaw) == true {
            let help = "rename it in 'map', or remove 'raw' from the stream"
            let message = "the mapped record has a member 'raw' already"
            findings.error(.rawMember, message, at: keys.location("raw"), help: help)
        }
    }

    private static func makesRaw(_ map: JQProgram) -> Bool {
        guard case .object(let entries) = map.syntax.node else { return false }
        return entries.contains { entry in
            if case .literal(let key) = entry.key.node { key.stringText == "raw" } else { false }
        }
    }

    private func cast(_ kind: YAMLEntry) -> Cast? {
        guard let cast = Cast(word: kind.key), kind.value.mapping?.isEmpty == false,
            let table = Tables.field[kind.key]?.shape.tables.first
        else { return Cast(word: kind.key) }
        guard let keys = CheckedMapping(kind.value, table, at: kind.keyLocation, findings) else { return nil }
        switch cast {
        case .time: return times(keys).map { .time($0) }
        case .date: return times(keys).map { .date($0) }
        case .integer: return numbers(keys).map { .integer($0) }
        case .decimal: return numbers(keys).map { .decimal($0) }
        case .boolean: return words(keys).map { .boolean($0) }
        // It has no options.
        default: return cast
        }
    }

    private func times(_ keys: CheckedMapping) -> TimeReading? {
        var reading = TimeReading()
        let nodes = keys["format"].map { $0.sequence ?? [$0] } ?? []
        reading.formats = nodes.compactMap { format($0) }
        reading.names = nodes.compactMap { $0.scalar?.text }
        if let node = keys["zone"], let name = node.scalar?.text {
            reading.zone = findings.zone(name, at: node.location)
            if reading.zone == nil { return nil }
        }
        return reading.formats.count == nodes.count ? reading : nil
    }

    /// A format for reading a time.
    private func format(_ node: YAMLNode) -> SinceFormat? {
        guard let text = node.scalar?.text else { return nil }
        if let format = SinceFormat(time: text) {
            guard case .pattern(let pattern) = format, let fault = pattern.readingFault else { return format }
            let message = "'\(MessageText.shortened(text))' cannot read a time: it \(fault)"
            let help = "write all of it, as in \"%d.%m.%Y %H:%M\""
            findings.error(.badTimePattern, message, at: node.location, help: help)
            return nil
        }
        sayTimePattern(text, at: node, of: "format")
        return nil
    }

    private func numbers(_ keys: CheckedMapping) -> NumberReading? {
        let group = keys.text("group").flatMap(NumberReading.Group.init(written:))
        // If dots separate groups of digits, the decimal separator is a comma.
        let point = keys.text("point") ?? (group == .point ? "," : ".")
        guard group?.rawValue == point else { return NumberReading(point: point, group: group) }
        let help = "write the other one of '.' and ',' for 'point'"
        let message = "'point' and 'group' are the same: nothing tells 1\(point)234 from a fraction"
        findings.error(.badCast, message, at: keys.location("point"), help: help)
        return nil
    }

    private func words(_ keys: CheckedMapping) -> BooleanWords? {
        var values: [String: Bool] = [:]
        for (key, meaning) in [("true", true), ("false", false)] {
            guard let node = keys[key] else { return nil }
            for word in node.sequence ?? [node] {
                guard let text = word.jsonValue.shownText else { continue }
                if let other = values.updateValue(meaning, forKey: text), other != meaning {
                    let message = "'\(MessageText.shortened(text))' means both true and false"
                    findings.error(.badCast, message, at: word.location, help: "keep it in one of the lists")
                    return nil
                }
            }
        }
        return BooleanWords(values: values)
    }
}

extension Cast {
    /// The cast that a word names, in its usual forms.
    fileprivate init?(word: String) {
        switch word {
        case "time": self = .time(TimeReading())
        case "date": self = .date(TimeReading())
        case "integer": self = .integer(nil)
        case "decimal": self = .decimal(nil)
        case "string": self = .string
        case "boolean": self = .boolean(nil)
        case "any": self = .any
        default: return nil
        }
    }
}
