internal import LosslessJSON

/// The steps of a path as plain numbers over one buffer of keys, so that following them counts no references.
struct PathSteps: Sendable, Equatable {
    /// One step.
    struct Step: Sendable, Equatable {
        enum Kind: UInt8, Sendable {
            /// A member of an object.
            case member
            /// An element of an array, from the end if negative.
            case element
            /// Each element of an array.
            case each
        }

        var kind: Kind
        /// An element's index, or where a member's key begins.
        var start: Int
        /// Where a member's key ends.
        var end: Int
    }

    private(set) var list: [Step] = []
    /// The members' keys, decoded UTF-8, one after another.
    private(set) var keys: [UInt8] = []

    mutating func append(member key: [UInt8]) {
        list.append(Step(kind: .member, start: keys.count, end: keys.count + key.count))
        keys += key
    }

    /// - Returns: `false`, with nothing added, if it is not an index.
    mutating func append(element index: Int?) -> Bool {
        guard let index else { return false }
        list.append(Step(kind: .element, start: index, end: 0))
        return true
    }

    mutating func appendEach() { list.append(Step(kind: .each, start: 0, end: 0)) }

    mutating func append(_ other: ArraySlice<Step>, of steps: PathSteps) {
        for step in other {
            switch step.kind {
            case .member: append(member: Array(steps.keys[step.start..<step.end]))
            case .element: _ = append(element: step.start)
            case .each: appendEach()
            }
        }
    }

    /// Adds a key that no step of this list has.
    mutating func append(key: [UInt8]) { keys += key }

    static func + (left: PathSteps, right: PathSteps) -> PathSteps {
        var both = left
        both.append(right.list[...], of: right)
        return both
    }

    func prefix(_ count: Int) -> PathSteps {
        var steps = PathSteps()
        steps.append(list.prefix(count), of: self)
        return steps
    }

    @inline(__always)
    func withPointers<Result>(
        _ body: (UnsafeBufferPointer<Step>, UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        list.withUnsafeBufferPointer { list in keys.withUnsafeBufferPointer { keys in body(list, keys) } }
    }

    // MARK: - Walking

    /// Follows steps without `[]`.
    @inline(__always)
    static func resolve(
        _ steps: UnsafeBufferPointer<Step>,
        _ keys: UnsafeBufferPointer<UInt8>,
        _ cursor: JSONCursor,
        _ start: Int
    ) -> JQPath.Target {
        var node = start
        for step in steps {
            switch follow(step, keys, cursor, node) {
            case .node(let next): node = next
            case .missing: return .missing
            case .unfit: return .unfit
            }
        }
        return .node(node)
    }

    /// Visits every output of steps with `[]`; `nil` stands for `null`.
    ///
    /// - Returns: `false` if the engine has to decide.
    static func forEach(
        _ steps: UnsafeBufferPointer<Step>,
        _ keys: UnsafeBufferPointer<UInt8>,
        _ cursor: JSONCursor,
        _ start: Int,
        _ body: (Int?) -> Void
    ) -> Bool {
        var node = start
        for (at, step) in steps.enumerated() {
            let rest = UnsafeBufferPointer(rebasing: steps[(at + 1)...])
            if step.kind == .each { return each(rest, keys, cursor, node, body) }
            switch follow(step, keys, cursor, node) {
            case .node(let next): node = next
            case .missing:
                // `null[]` is an error, `null.a` is null.
                guard !rest.contains(where: { $0.kind == .each }) else { return false }
                body(nil)
                return true
            case .unfit: return false
            }
        }
        body(node)
        return true
    }

    private static func each(
        _ rest: UnsafeBufferPointer<Step>,
        _ keys: UnsafeBufferPointer<UInt8>,
        _ cursor: JSONCursor,
        _ node: Int,
        _ body: (Int?) -> Void
    ) -> Bool {
        // A repeated key has one value, the last, in the first one's place: objects are left to the engine.
        guard cursor.kind(node) == .array else { return false }
        var at = cursor.first(in: node)
        while let current = at {
            guard forEach(rest, keys, cursor, current, body) else { return false }
            at = cursor.next(after: current)
        }
        return true
    }

    @inline(__always)
    private static func follow(
        _ step: Step,
        _ keys: UnsafeBufferPointer<UInt8>,
        _ cursor: JSONCursor,
        _ node: Int
    ) -> JQPath.Target {
        let kind = cursor.kind(node)
        // `null.a` is null.
        if kind == .null, step.kind != .each { return .node(node) }
        switch step.kind {
        case .member:
            guard kind == .object else { return .unfit }
            let key = UnsafeBufferPointer(rebasing: keys[step.start..<step.end])
            return cursor.member(node, key).map { .node($0) } ?? .missing
        case .element:
            guard kind == .array else { return .unfit }
            return element(step.start, cursor, node)
        case .each: return .unfit
        }
    }

    private static func element(_ index: Int, _ cursor: JSONCursor, _ node: Int) -> JQPath.Target {
        var remaining = index
        if index < 0 {
            remaining += cursor.count(of: node)
            guard remaining >= 0 else { return .missing }
        }
        var at = cursor.first(in: node)
        while let current = at {
            if remaining == 0 { return .node(current) }
            remaining -= 1
            at = cursor.next(after: current)
        }
        return .missing
    }

    /// The first member among the steps that an object has twice.
    static func repeatedMember(
        _ steps: UnsafeBufferPointer<Step>,
        _ keys: UnsafeBufferPointer<UInt8>,
        _ cursor: JSONCursor,
        _ start: Int
    ) -> String? {
        var node = start
        for (at, step) in steps.enumerated() {
            if step.kind == .each {
                guard cursor.kind(node) == .array else { return nil }
                let rest = UnsafeBufferPointer(rebasing: steps[(at + 1)...])
                guard rest.contains(where: { $0.kind == .member }) else { return nil }
                var element = cursor.first(in: node)
                while let current = element {
                    if let key = repeatedMember(rest, keys, cursor, current) { return key }
                    element = cursor.next(after: current)
                }
                return nil
            }
            if step.kind == .member, cursor.kind(node) == .object {
                let key = UnsafeBufferPointer(rebasing: keys[step.start..<step.end])
                var count = 0
                cursor.forEachMember(of: node) { name, _ in if cursor.isKey(name, key) { count += 1 } }
                if count > 1 { return String(decoding: key, as: UTF8.self) }
            }
            guard case .node(let next) = follow(step, keys, cursor, node) else { return nil }
            node = next
        }
        return nil
    }
}
