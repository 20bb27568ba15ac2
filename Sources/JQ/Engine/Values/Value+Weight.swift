import LosslessJSON

extension Value {
    /// Checks that the value may leave the engine: outside, parts that it shares with itself are held and written once per
    /// occurrence.
    ///
    /// - Parameters:
    ///   - depth: How many containers the engine may have nested in it.
    ///   - inputDepth: How many containers may be nested in parts still in a document, `nil` for any number.
    func weigh(_ meter: Meter, depth: Int, inputDepth: Int? = nil) throws(JQError) {
        var scale = Scale(bytes: meter.limits.bytes, depth: depth, inputDepth: inputDepth)
        scale.add(self)
        if scale.bytes < 0 { throw meter.bytesError }
        if scale.isTooDeep { throw meter.depthError(depth) }
        try meter.step(scale.count / 4)
    }
}

/// Adds up what a value takes outside the engine.
private struct Scale {
    /// Bytes that may still follow.
    private(set) var bytes: Int
    private(set) var isTooDeep = false
    private(set) var count = 0
    /// The maximum nesting depth.
    private let depth: Int
    private let inputDepth: Int?
    /// Containers still to be examined, in a list because values may be deeper than the native stack, each with the number of the
    /// engine's own containers around it.
    private var waiting: [(value: Value, level: Int)] = []

    private var isOver: Bool { bytes < 0 || isTooDeep }

    init(bytes: Int, depth: Int, inputDepth: Int?) {
        self.bytes = bytes
        self.depth = depth
        self.inputDepth = inputDepth
    }

    mutating func add(_ value: Value) {
        weigh(value, 0)
        while !isOver, let next = waiting.popLast() { weigh(next.value, next.level) }
    }

    private mutating func weigh(_ value: Value, _ level: Int) {
        count += 1
        switch value {
        case .null, .bool, .integer, .double: bytes -= 40
        case .literal(let number): bytes -= 40 + number.text.utf8.count
        case .string(let string): bytes -= 40 + string.text.utf8.count
        case .array(let array):
            bytes -= 40
            if level >= depth { isTooDeep = true }
            // By index: iterating would retain each element.
            for at in array.elements.indices where !isOver { enter(array.elements[at], level + 1) }
        case .object(let object):
            bytes -= 40
            if level >= depth { isTooDeep = true }
            for at in object.members.indices where !isOver {
                bytes -= object.members[at].key.text.utf8.count
                enter(object.members[at].value, level + 1)
            }
        // A value from outside already exists: only its text may be written again.
        case .json(let json): weigh(json, level)
        case .view(let view):
            bytes -= view.document.withCursor { $0.slice(view.node).count }
            if let inputDepth, view.isDeeper(than: inputDepth) { isTooDeep = true }
        case .deep(let deep): waiting.append((deep.value, level))
        }
    }

    @inline(__always)
    private mutating func enter(_ value: Value, _ level: Int) {
        switch value {
        case .array, .object, .json, .deep: waiting.append((value, level))
        default: weigh(value, level)
        }
    }

    private mutating func weigh(_ json: JSONValue, _ level: Int) {
        switch json {
        case .null, .bool: bytes -= 4
        case .number(let number): bytes -= number.text.utf8.count
        case .string(let string): bytes -= string.text.utf8.count + 2
        case .array(let elements):
            bytes -= 1 + elements.count
            for element in elements where !isOver { enter(element, level) }
        case .object(let object):
            bytes -= 1 + object.count
            for member in object.members where !isOver {
                bytes -= member.key.text.utf8.count + 3
                enter(member.value, level)
            }
        }
    }

    private mutating func enter(_ json: JSONValue, _ level: Int) {
        switch json {
        case .array, .object: waiting.append((.json(json), level))
        default:
            count += 1
            weigh(json, level)
        }
    }
}
