import LosslessJSON

extension Machine {
    mutating func lift(_ depth: Int32) throws(JQError) {
        var above: [Cell] = []
        for _ in 0..<depth { above.append(popCell()) }
        let lifted = popCell()
        for cell in above.reversed() { try push(cell.value, cell.path) }
        try push(lifted.value, lifted.path)
    }

    mutating func popArguments(_ count: Int32) -> [Value] {
        if count == 0 { return [] }
        var arguments: [Value] = []
        for _ in 0..<count { arguments.append(pop()) }
        return arguments
    }

    mutating func collect(_ value: Value, _ slot: Int32) throws(JQError) {
        var collected = Value.null
        swap(&collected, &frame.slots[Int(slot)].value)
        guard case .array(var array) = collected else { return }
        collected = .null
        array.append(value)
        frame.slots[Int(slot)].value = .array(array)
    }

    mutating func makeObject(_ shape: LinkedCode.Shape) throws(JQError) {
        // Values and keys are pushed in the order they were written and popped in reverse.
        var members = shape.members
        for at in members.indices.reversed() {
            members[at].value = pop()
            if shape.keys[at] == nil {
                let key = pop()
                guard case .string(let name) = key else { throw Failure.key(key) }
                members[at].key = name
            }
        }
        try meter.take(64 + members.count * MemoryLayout<ValueObject.Member>.stride)
        let object = Value.object(shape.isDistinct ? ValueObject(different: members) : ValueObject(members))
        try answer(object)
    }

    mutating func interpolate(_ text: (format: Format, pieces: [Piece])) throws(JQError) {
        var result = ""
        for piece in text.pieces {
            switch piece {
            case .text(let part): result += part
            case .hole:
                let part = try text.format.text(of: pop(), meter)
                try meter.copy(bytes: part.utf8.count)
                result += part
            }
        }
        try answer(.text(result))
    }
}
