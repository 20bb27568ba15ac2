import JQ
import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// The members of the mapped record that a stream names.
    func fields(_ node: YAMLNode?) -> [RecordField] {
        (node?.mapping ?? []).compactMap { entry in
            if let scalar = entry.value.scalar, !scalar.isNull {
                guard Shape.choice(CastKind.words).check(entry.value, of: entry.key, findings) else { return nil }
                return CastKind(word: scalar.text).map {
                    RecordField(name: entry.key, cast: $0.plain, location: entry.keyLocation)
                }
            }
            guard Shape.wordOrTable(CastKind.words, Tables.field).check(entry.value, of: entry.key, findings),
                let keys = CheckedMapping(entry.value, Tables.field, at: entry.keyLocation, findings),
                let kind = keys.kind(of: Tables.field, findings),
                let cast = CastKind(word: kind.key)?.read(kind, self)
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
}
