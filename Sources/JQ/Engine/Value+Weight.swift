import LosslessJSON

extension Value {
    /// Makes sure that the value may leave the engine: outside, parts that it shares with itself are held and written once
    /// for each place where they stand.
    func weigh(_ meter: Meter) throws(JQError) {
        var scale = Scale(bytes: meter.limits.bytes)
        guard scale.add(self) else { throw meter.bytesError }
        try meter.step(scale.count / 4)
    }
}

/// Adds up what a value takes outside the engine.
private struct Scale {
    /// Bytes that may follow.
    var bytes: Int
    private(set) var count = 0

    init(bytes: Int) { self.bytes = bytes }

    /// - Returns: Whether it fits.
    mutating func add(_ value: Value) -> Bool {
        count += 1
        switch value {
        case .null, .bool, .integer, .double: bytes -= 40
        case .literal(let number): bytes -= 40 + number.text.utf8.count
        case .string(let string): bytes -= 40 + string.text.utf8.count
        case .array(let array):
            bytes -= 40
            // By index: to go through them would ask each for another owner.
            for at in array.elements.indices { guard add(array.elements[at]) else { return false } }
        case .object(let object):
            bytes -= 40
            for at in object.members.indices {
                bytes -= object.members[at].key.text.utf8.count
                guard add(object.members[at].value) else { return false }
            }
        // What comes from outside is there already: its text is what may be written again.
        case .json(let json): return add(json)
        case .view(let view): bytes -= view.document.withCursor { $0.slice(view.node).count }
        }
        return bytes >= 0
    }

    private mutating func add(_ json: JSONValue) -> Bool {
        count += 1
        switch json {
        case .null, .bool: bytes -= 4
        case .number(let number): bytes -= number.text.utf8.count
        case .string(let string): bytes -= string.text.utf8.count + 2
        case .array(let elements):
            bytes -= 1 + elements.count
            for element in elements { guard add(element) else { return false } }
        case .object(let object):
            bytes -= 1 + object.count
            for member in object.members {
                bytes -= member.key.text.utf8.count + 3
                guard add(member.value) else { return false }
            }
        }
        return bytes >= 0
    }
}
