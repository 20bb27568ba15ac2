internal import LosslessJSON

/// A program made only of paths, literals and constructions of them, as a tree.
indirect enum ProjectionShape {
    /// A path with exactly one output.
    case value(JQPath)
    /// `[PATH]` if the path iterates.
    case collected(JQPath)
    /// `{…}`, sorted by the keys' bytes, each key once.
    case object([(key: [UInt8], value: ProjectionShape)])
    /// `[A, B]`
    case array([ProjectionShape])
    /// A constant, in canonical form.
    case literal([UInt8])
    /// `PATH | SHAPE`
    case within(JQPath, ProjectionShape)

    /// Whether its single output is an object.
    var isObject: Bool {
        switch self {
        case .object: true
        case .within(_, let rest): rest.isObject
        case .value, .collected, .array, .literal: false
        }
    }

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
                let elements = Self.elements(content).map(ProjectionShape.init)
                guard elements.allSatisfy({ $0 != nil }) else { return nil }
                self = .array(elements.compactMap(\.self))
            }
        case .object(let entries):
            guard let members = Self.members(entries) else { return nil }
            self = .object(members)
        case .pipe(let first, let second):
            guard let path = JQPath(first), !path.iterates, let rest = ProjectionShape(second) else { return nil }
            self = .within(path, rest)
        default: return nil
        }
    }

    private static func elements(_ syntax: JQSyntax) -> [JQSyntax] {
        guard case .comma(let first, let second) = syntax.node else { return [syntax] }
        return elements(first) + elements(second)
    }

    private static func members(_ entries: [JQSyntax.Entry]) -> [(key: [UInt8], value: ProjectionShape)]? {
        var members: [(key: [UInt8], value: ProjectionShape)] = []
        for entry in entries {
            guard case .literal(.string(let key)) = entry.key.node, let value = ProjectionShape(entry.value) else {
                return nil
            }
            let bytes = Array(key.text.utf8)
            // A key that needs repair is left to the engine.
            guard !bytes.contains(0) else { return nil }
            members.removeAll { $0.key == bytes }
            members.append((bytes, value))
        }
        return members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
}

/// Flattens a shape into operations over constant text.
struct ProjectionCompiler {
    private(set) var operations: [JQProjection.Operation] = []
    private(set) var text: [UInt8] = []
    private(set) var steps = PathSteps()
    private(set) var roots: [JQProjection.Root] = []
    private var rootsByKey: [[UInt8]: Int] = [:]

    /// - Returns: `nil` if a member to convert is more than a path, or the new one already exists.
    init?(_ shape: ProjectionShape, _ converting: [[UInt8]], _ inserting: [UInt8]?) {
        guard !converting.isEmpty || inserting != nil else {
            add(shape, below: PathSteps())
            add(.end, PathSteps())
            return
        }
        guard case .object(let members) = shape else { return nil }
        for member in members where converting.contains(member.key) {
            guard case .value = member.value else { return nil }
        }
        var slots = members.map { (key: $0.key, value: Optional($0.value)) }
        if let inserting {
            guard !slots.contains(where: { $0.key == inserting }) else { return nil }
            slots.append((inserting, nil))
        }
        slots.sort { $0.key.lexicographicallyPrecedes($1.key) }
        addObject(slots.map(\.key)) { compiler, at in
            switch (slots[at].value, converting.firstIndex(of: slots[at].key)) {
            case (.value(let path)?, let index?): compiler.add(.converted, path.steps, converted: index)
            case (let value?, _): compiler.add(value, below: PathSteps())
            case (nil, _): compiler.addInserted()
            }
        }
        add(.end, PathSteps())
    }

    private mutating func addInserted() {
        text.append(UInt8(ascii: "\""))
        add(.inserted, PathSteps())
        text.append(UInt8(ascii: "\""))
    }

    private mutating func add(_ shape: ProjectionShape, below prefix: PathSteps) {
        switch shape {
        case .value(let path): add(.value, prefix + path.steps)
        case .literal(let bytes): text += bytes
        case .within(let path, let rest):
            add(.required, prefix + path.steps)
            add(rest, below: prefix + path.steps)
        case .collected(let path):
            text.append(UInt8(ascii: "["))
            add(.collected, prefix + path.steps)
            text.append(UInt8(ascii: "]"))
        case .array(let elements):
            text.append(UInt8(ascii: "["))
            for (at, element) in elements.enumerated() {
                if at > 0 { text.append(UInt8(ascii: ",")) }
                add(element, below: prefix)
            }
            text.append(UInt8(ascii: "]"))
        case .object(let members):
            addObject(members.map(\.key)) { compiler, at in compiler.add(members[at].value, below: prefix) }
        }
    }

    private mutating func addObject(_ keys: [[UInt8]], _ addValue: (inout Self, Int) -> Void) {
        text.append(UInt8(ascii: "{"))
        for (at, key) in keys.enumerated() {
            var label = CanonicalJSON()
            if at > 0 { label.append(UInt8(ascii: ",")) }
            label.append(utf8: key)
            label.append(UInt8(ascii: ":"))
            text += label.bytes
            addValue(&self, at)
        }
        text.append(UInt8(ascii: "}"))
    }

    private mutating func add(_ kind: JQProjection.Operation.Kind, _ path: PathSteps, converted: Int = 0) {
        var rest = path.list[...]
        var root = -1
        if let first = rest.first, first.kind == .member {
            root = self.root(Array(path.keys[first.start..<first.end]))
            rest = rest.dropFirst()
        }
        let start = steps.list.count
        steps.append(rest, of: path)
        operations.append(
            JQProjection.Operation(
                kind: kind,
                textEnd: text.count,
                root: root,
                steps: start..<steps.list.count,
                converted: converted
            )
        )
    }

    private mutating func root(_ key: [UInt8]) -> Int {
        if let known = rootsByKey[key] { return known }
        let start = steps.keys.count
        steps.append(key: key)
        let hint = key.withUnsafeBufferPointer { JSONCursor.keyHint($0) }
        roots.append(JQProjection.Root(start: start, end: start + key.count, hint: hint))
        rootsByKey[key] = roots.count - 1
        return roots.count - 1
    }
}
