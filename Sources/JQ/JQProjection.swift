public import LosslessJSON

/// A program made only of paths, literals and constructions of them: it copies bytes out of a page instead of building
/// values, and gives the bytes that the engine's output has in canonical form.
///
/// Where a record does not have the shape that the program expects (an index into a number, say), it writes nothing and
/// leaves the record to the engine, so that errors and rare cases have one home.
public indirect enum JQProjection: Sendable {
    /// A path with exactly one output.
    case value(JQPath)
    /// `[PATH]` where the path iterates.
    case collected(JQPath)
    /// `{…}`, sorted by the keys' bytes, each key once.
    case object([Member])
    /// `[A, B]`
    case array([JQProjection])
    /// A constant, canonical.
    case literal([UInt8])
    /// `PATH | SHAPE`
    case within(JQPath, JQProjection)

    /// A member of an object.
    public struct Member: Sendable {
        /// The key's UTF-8.
        public var key: [UInt8]
        /// The key in quotes with its colon, as it is written.
        public var label: [UInt8]
        /// What stands there.
        public var value: JQProjection
    }

    /// The projection of a program, `nil` where it needs the engine.
    public init?(_ program: JQProgram) { self.init(program.syntax) }

    init?(_ syntax: JQSyntax) {
        if let path = JQPath(syntax) {
            guard !path.iterates else { return nil }
            self = .value(path)
            return
        }
        switch syntax.node {
        case .literal(let value):
            var writer = CanonicalJSON()
            writer.append(value)
            self = .literal(writer.bytes)
        case .array(nil): self = .literal(Array("[]".utf8))
        case .array(let content?):
            if let path = JQPath(content), path.iterates {
                self = .collected(path)
            } else {
                let elements = Self.elements(content).map(JQProjection.init)
                guard elements.allSatisfy({ $0 != nil }) else { return nil }
                self = .array(elements.compactMap(\.self))
            }
        case .object(let entries):
            guard let members = Self.members(entries) else { return nil }
            self = .object(members)
        case .pipe(let first, let second):
            guard let path = JQPath(first), !path.iterates, let rest = JQProjection(second) else { return nil }
            self = .within(path, rest)
        default: return nil
        }
    }

    private static func elements(_ syntax: JQSyntax) -> [JQSyntax] {
        guard case .comma(let first, let second) = syntax.node else { return [syntax] }
        return elements(first) + elements(second)
    }

    private static func members(_ entries: [JQSyntax.Entry]) -> [Member]? {
        var members: [Member] = []
        for entry in entries {
            guard case .literal(.string(let key)) = entry.key.node, let value = JQProjection(entry.value) else {
                return nil
            }
            let bytes = Array(key.text.utf8)
            members.removeAll { $0.key == bytes }
            var label = CanonicalJSON()
            label.append(utf8: bytes)
            label.append(UInt8(ascii: ":"))
            // A key that would have to be repaired is the engine's.
            guard label.repaired == 0 else { return nil }
            members.append(Member(key: bytes, label: label.bytes, value: value))
        }
        return members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// Appends what the program makes of a value.
    ///
    /// - Returns: `false` where the engine has to decide; the caller takes back what was written.
    public func write(_ cursor: JSONCursor, _ node: Int, to writer: inout CanonicalJSON) -> Bool {
        switch self {
        case .value(let path):
            switch path.resolve(cursor, node) {
            case .node(let found): writer.append(cursor, found)
            case .missing: writer.bytes.append(contentsOf: Self.null)
            case .unfit: return false
            }
            return true
        case .literal(let bytes):
            writer.bytes.append(contentsOf: bytes)
            return true
        case .within(let path, let rest):
            guard case .node(let found) = path.resolve(cursor, node) else { return false }
            return rest.write(cursor, found, to: &writer)
        case .collected(let path):
            writer.append(UInt8(ascii: "["))
            var isFirst = true
            let isWhole = path.forEach(cursor, node) { found in
                if !isFirst { writer.append(UInt8(ascii: ",")) }
                isFirst = false
                if let found { writer.append(cursor, found) } else { writer.bytes.append(contentsOf: Self.null) }
            }
            writer.append(UInt8(ascii: "]"))
            return isWhole
        case .array(let elements):
            writer.append(UInt8(ascii: "["))
            for (at, element) in elements.enumerated() {
                if at > 0 { writer.append(UInt8(ascii: ",")) }
                guard element.write(cursor, node, to: &writer) else { return false }
            }
            writer.append(UInt8(ascii: "]"))
            return true
        case .object(let members):
            writer.append(UInt8(ascii: "{"))
            for (at, member) in members.enumerated() {
                if at > 0 { writer.append(UInt8(ascii: ",")) }
                writer.bytes.append(contentsOf: member.label)
                guard member.value.write(cursor, node, to: &writer) else { return false }
            }
            writer.append(UInt8(ascii: "}"))
            return true
        }
    }

    private static let null = Array("null".utf8)
}
