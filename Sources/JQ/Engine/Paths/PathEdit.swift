import LosslessJSON

/// The way down a path into a value that is being changed: each container without the child that follows, so that nothing with a
/// single owner is copied. No recursion: a path may be as long as its program wants.
private struct Descent {
    private struct Level {
        enum Place {
            case member(JSONString)
            case element(Int)
            case part(Range<Int>)
        }

        var container: Value
        let place: Place
    }

    private var levels: [Level] = []

    /// Descends to a member, which is created if missing.
    mutating func enter(_ name: JSONString, of value: inout Value, _ meter: Meter) throws(JQError) {
        var object = value.takeObject()
        let place = object.place
        let child = object.take(name) ?? .null
        if object.place != place { try meter.copy(elements: 3 * object.members.count) }
        levels.append(Level(container: .object(object), place: .member(name)))
        value = child
    }

    /// Descends to an element; the array grows if it is too short.
    mutating func enter(_ index: Int, of value: inout Value, _ meter: Meter) throws(JQError) {
        var array = value.takeArray()
        let place = array.place
        array.pad(to: index + 1)
        let child = array.take(index)
        if array.place != place { try meter.copy(elements: array.elements.count) }
        levels.append(Level(container: .array(array), place: .element(index)))
        value = child
    }

    /// Descends to a slice of an array.
    mutating func enter(_ range: Range<Int>, of value: inout Value, _ meter: Meter) throws(JQError) {
        let array = value.takeArray()
        try meter.copy(elements: range.count)
        value = .array(ValueArray(Array(array.elements[range])))
        levels.append(Level(container: .array(array), place: .part(range)))
    }

    /// Reassembles the containers around the new value.
    mutating func leave(with value: inout Value, _ meter: Meter) throws(JQError) {
        while var level = levels.popLast() {
            // A container has to be uniquely owned while it is changed, or it would be copied.
            switch level.place {
            case .member(let name):
                var object = level.container.takeObject()
                object.put(name, value)
                try meter.take(MemoryLayout<ValueObject.Member>.stride)
                value = .object(object)
            case .element(let index):
                var array = level.container.takeArray()
                array.put(index, value)
                value = .array(array)
            case .part(let range):
                guard case .array(let new) = try value.opened(meter) else {
                    throw JQError("A slice of an array can only be assigned another array")
                }
                var array = level.container.takeArray()
                try meter.copy(elements: array.elements.count + new.elements.count)
                array.replace(range, with: new)
                value = .array(array)
            }
        }
    }
}

extension Value {
    /// The array, leaving `null` behind; an empty one if this is not an array.
    fileprivate mutating func takeArray() -> ValueArray {
        guard case .array(let array) = self else { return ValueArray([]) }
        self = .null
        return array
    }

    /// The object, leaving `null` behind; an empty one if this is not an object.
    fileprivate mutating func takeObject() -> ValueObject {
        guard case .object(let object) = self else { return ValueObject() }
        self = .null
        return object
    }
}

extension Paths {
    /// Takes the value at a path out, leaving `null` if putting it back costs nothing.
    static func take(_ target: inout Value, _ path: ArraySlice<Value>, _ meter: Meter) throws(JQError) -> Value {
        if path.count == 1, case .string(let name)? = path.first, case .object = target {
            try meter.step()
            var object = target.takeObject()
            defer { target = .object(object) }
            guard object.position(name) != nil else { return .null }
            let place = object.place
            let value = object.take(name) ?? .null
            if object.place != place { try meter.copy(elements: 3 * object.members.count) }
            return value
        }
        var descent = Descent()
        var taken: Value?
        for at in path.indices {
            try meter.step()
            try target.open(meter)
            switch (target.rank, path[at].rank) {
            case (6, 4) where isMember(path[at], of: target):
                if case .string(let name) = path[at] { try descent.enter(name, of: &target, meter) }
            case (5, 3):
                try meter.read(path[at])
                if let index = element(path[at], in: target) {
                    try descent.enter(index, of: &target, meter)
                } else {
                    taken = .null
                }
            default: taken = try get(target, path[at...], meter)
            }
            if taken != nil { break }
        }
        let value = taken ?? target
        if taken == nil { target = .null }
        try descent.leave(with: &target, meter)
        return value
    }

    private static func isMember(_ key: Value, of target: Value) -> Bool {
        guard case .object(let object) = target, case .string(let name) = key else { return false }
        return object.position(name) != nil
    }

    /// The index in an array that a number denotes, `nil` if the array has none.
    private static func element(_ key: Value, in target: Value) -> Int? {
        guard let at = position(key) else { return nil }
        let count = count(target)
        let index = at < 0 ? at + count : at
        return (0..<count).contains(index) ? index : nil
    }

    /// Puts a value at a path. Missing containers on the way are created.
    static func set(
        _ target: inout Value,
        _ path: ArraySlice<Value>,
        _ value: Value,
        _ meter: Meter
    ) throws(JQError) {
        if path.count == 1, let name = path.first, try put(value, at: name, in: &target, meter) { return }
        var descent = Descent()
        for at in path.indices {
            let key = path[at]
            try meter.step()
            try target.open(meter)
            switch (target.rank, key.rank) {
            case (0, 4), (6, 4): if case .string(let name) = key { try descent.enter(name, of: &target, meter) }
            case (0, 3), (5, 3): try descent.enter(try place(key, in: target, meter), of: &target, meter)
            case (0, 6), (5, 6):
                let isMissing = target.isNull
                let range = try Slices.bounds(key, count(target), meter)
                try descent.enter(range, of: &target, meter)
                if isMissing, at + 1 < path.endIndex { target = .null }
            case (4, 6): throw JQError("Cannot update string slices")
            case (5, 5): throw JQError("Cannot update field at array index of array")
            default: throw Failure.index(target, key)
            }
        }
        target = value
        try descent.leave(with: &target, meter)
    }

    /// Sets a member of an object directly, as most programs do.
    ///
    /// - Returns: Whether this is an object and the key a text.
    private static func put(
        _ value: Value,
        at key: Value,
        in target: inout Value,
        _ meter: Meter
    ) throws(JQError) -> Bool {
        guard case .string(let name) = key, target.rank == 6 || target.isNull else { return false }
        try meter.step()
        try target.open(meter)
        var object = target.takeObject()
        let place = object.place
        object.put(name, value)
        try meter.take(MemoryLayout<ValueObject.Member>.stride)
        if object.place != place { try meter.copy(elements: 3 * object.members.count) }
        target = .object(object)
        return true
    }

    private static func count(_ target: Value) -> Int {
        if case .array(let array) = target { array.elements.count } else { 0 }
    }

    /// The index in an array that a number denotes, which may be past its end.
    private static func place(_ key: Value, in target: Value, _ meter: Meter) throws(JQError) -> Int {
        try meter.read(key)
        let count = count(target)
        guard let at = position(key) else { throw JQError("Cannot set array element at NaN index") }
        let index = at < 0 ? at + count : at
        if index < 0 { throw JQError("Out of bounds negative array index") }
        if index > 536_870_911 { throw JQError("Array index too large") }
        try meter.copy(elements: max(1, index + 1 - count))
        return index
    }
}
