import LosslessJSON

extension Machine {
    // A base has five slots: paths, state, position, deletions, fork.

    mutating func modifyBegin(_ base: Int) throws(JQError) {
        let input = popCell()
        frame.slots[base + 1].value = input.value
        frame.slots[base + 2].value = .integer(0)
        frame.slots[base + 3].value = .array(ValueArray([]))
        try push(.null, input.path)
    }

    private func nextPath(_ base: Int) -> (Int, [Value])? {
        guard case .array(let paths) = frame.slots[base].value,
            let position = frame.slots[base + 2].value.asInteger.map({ Int($0) }),
            position < paths.elements.count
        else { return nil }
        guard case .array(let path) = paths.elements[position] else { return nil }
        return (position, path.elements)
    }

    /// Pushes the value at the next path, taken out of the state so that changing it copies nothing.
    mutating func modifyNext(_ base: Int) throws(JQError) -> Bool {
        guard let (_, path) = nextPath(base) else { return false }
        try meter.step()
        try Paths.checkLength(path[...])
        var state = Value.null
        swap(&state, &frame.slots[base + 1].value)
        let value = try Paths.take(&state, path[...], meter)
        frame.slots[base + 1].value = state
        try push(value)
        return true
    }

    mutating func modifyStore(_ base: Int) throws(JQError) {
        let value = pop()
        cut(to: Int(frame.slots[base + 4].value.asInteger ?? 0))
        guard let (position, path) = nextPath(base) else { return }
        var state = Value.null
        swap(&state, &frame.slots[base + 1].value)
        try Paths.set(&state, path[...], value, meter)
        frame.slots[base + 1].value = state
        frame.slots[base + 2].value = .count(position + 1)
    }

    mutating func modifyDelete(_ base: Int) throws(JQError) {
        guard let (position, path) = nextPath(base) else { return }
        var deletions = Value.null
        swap(&deletions, &frame.slots[base + 3].value)
        if case .array(var array) = deletions {
            deletions = .null
            try meter.copy(elements: 1 + path.count)
            array.append(.array(ValueArray(path)))
            frame.slots[base + 3].value = .array(array)
        }
        frame.slots[base + 2].value = .count(position + 1)
    }

    mutating func modifyEnd(_ base: Int) throws(JQError) {
        var state = Value.null
        swap(&state, &frame.slots[base + 1].value)
        if case .array(let deletions) = frame.slots[base + 3].value, !deletions.elements.isEmpty {
            try Paths.delete(&state, deletions.elements, meter)
        }
        frame.slots[base].value = .null
        try answer(state)
    }

    mutating func assign(_ base: Int) throws(JQError) {
        var input = popCell()
        let value = frame.slots[base + 1].value
        if case .array(let paths) = frame.slots[base].value {
            for path in paths.elements {
                try meter.step()
                let keys = (try path.array(meter) ?? [])[...]
                try Paths.checkLength(keys)
                try Paths.set(&input.value, keys, value, meter)
            }
        }
        frame.slots[base].value = .null
        try push(input.value, left(input.path))
    }

    // MARK: Memory

    /// Checks that no more is held than allowed. The check takes time as well.
    mutating func look() throws(JQError) {
        let (bytes, count) = held()
        try meter.step(count)
        try meter.hold(bytes)
    }

    /// What cells, forks and frames hold, each shared buffer counted once.
    private func held() -> (bytes: Int, count: Int) {
        var census = Census()
        for at in 0..<cells.count { census.add(cells[at].value) }
        census.add(frame)
        census.bytes += cells.count * MemoryLayout<Cell>.stride + forks.count * MemoryLayout<Fork>.stride
        for at in 0..<forks.count {
            census.add(forks[at].frame)
            census.bytes += (forks[at].path?.length ?? 0) * 8
            if case .each = forks[at].kind { census.add(forks[at].source) }
        }
        return (census.bytes, census.count)
    }
}

/// Adds up the memory held.
struct Census {
    var bytes = 0
    /// How many values, frames and texts were examined.
    private(set) var count = 0
    private var seen: Set<UInt> = []
    private var frames: Set<ObjectIdentifier> = []

    mutating func add(_ frame: Frame) {
        var pending = [frame]
        while let next = pending.popLast() {
            count += 1
            guard frames.insert(ObjectIdentifier(next)).inserted else { continue }
            bytes += 96 + next.slots.count * MemoryLayout<Frame.Slot>.stride
            for at in 0..<next.slots.count { add(next.slots[at].value) }
            if let parent = next.parent { pending.append(parent) }
            if let back = next.returnFrame { pending.append(back) }
            for closure in next.closures { pending.append(closure.frame) }
        }
    }

    mutating func add(_ value: Value) {
        // Containers wait in a list: values may be deeper than the native stack.
        var waiting: [Value] = []
        add(value, &waiting)
        while let next = waiting.popLast() { add(next, &waiting) }
    }

    private mutating func add(_ value: Value, _ waiting: inout [Value]) {
        count += 1
        switch value {
        case .string(let string): add(string.text)
        case .literal(let number): add(number.text)
        case .array(let array):
            guard isNew(array.elements.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }) else { return }
            bytes += 32 + array.elements.count * MemoryLayout<Value>.stride
            for element in array.elements { enter(element, &waiting) }
        case .object(let object):
            guard isNew(object.members.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }) else { return }
            bytes += 96 + object.members.count * MemoryLayout<ValueObject.Member>.stride
            for member in object.members {
                add(member.key.text)
                enter(member.value, &waiting)
            }
        case .deep(let deep):
            bytes += 64
            waiting.append(deep.value)
        default: break
        }
    }

    @inline(__always)
    private mutating func enter(_ value: Value, _ waiting: inout [Value]) {
        switch value {
        case .array, .object, .deep: waiting.append(value)
        default: add(value, &waiting)
        }
    }

    private mutating func add(_ text: String) {
        // Up to 15 bytes are stored in the value itself.
        guard text.utf8.count > 15 else { return }
        let address = text.utf8.withContiguousStorageIfAvailable { UInt(bitPattern: $0.baseAddress) } ?? 0
        if isNew(address) { bytes += 32 + text.utf8.count }
    }

    private mutating func isNew(_ address: UInt) -> Bool { address == 0 || seen.insert(address).inserted }
}
