import LosslessJSON

/// Reading, setting and deleting what stands at a path.
enum Paths {
    /// A member of a container by its number, and whether it is the last.
    static func member(of container: Value, at next: Int) -> (Value, isLast: Bool)? {
        switch container {
        case .array(let array):
            guard next < array.elements.count else { return nil }
            return (array.elements[next], next + 1 == array.elements.count)
        case .object(let object):
            guard next < object.members.count else { return nil }
            return (object.members[next].value, next + 1 == object.members.count)
        case .json(.array(let elements)):
            guard next < elements.count else { return nil }
            return (Value(elements[next]), next + 1 == elements.count)
        case .json(.object(let object)):
            guard next < object.count else { return nil }
            return (Value(object.members[next].value), next + 1 == object.count)
        default: return nil
        }
    }

    /// The key of a container's member by its number.
    static func key(of container: Value, at next: Int) -> Value {
        switch container {
        case .object(let object): .string(object.members[next].key)
        case .json(.object(let object)): .string(object.members[next].key)
        default: .count(next)
        }
    }

    static func index(_ target: Value, _ key: Value, _ meter: Meter) throws(JQError) -> Value {
        switch (target, key) {
        case (.view(let view), .string(let name)):
            if let member = view.member(name) { return member }
        case (.json(.object(let object)), .string(let name)): return object[name].map { Value($0) } ?? .null
        case (.object(let object), .string(let name)): return object[name] ?? .null
        case (.null, .string), (.null, .null): return .null
        default: break
        }
        switch (target.rank, key.rank) {
        case (5, 3):
            guard let at = position(key) else { return .null }
            switch target {
            case .array(let array):
                let at = at < 0 ? at + array.elements.count : at
                return array.elements.indices.contains(at) ? array.elements[at] : .null
            case .json(.array(let elements)):
                let at = at < 0 ? at + elements.count : at
                return elements.indices.contains(at) ? Value(elements[at]) : .null
            case .view(let view): return view.element(at)
            default: return .null
            }
        case (0, 3): return .null
        case (0, 6):
            _ = try bounds(key, 0)
            return .null
        case (5, 6):
            let elements = target.asArray ?? []
            return .array(ValueArray(Array(elements[try bounds(key, elements.count)])))
        case (4, 6):
            let scalars = Array((target.asText ?? "").unicodeScalars)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[try bounds(key, scalars.count)])
            return .text(String(text))
        case (5, 5): return try Texts.indices(of: key.asArray ?? [], in: target.asArray ?? [], meter)
        default: throw Failure.index(target, key)
        }
    }

    /// Like `index`, for a value that is only written.
    static func written(_ target: Value, _ key: Value, _ meter: Meter) throws(JQError) -> Value {
        if case .view(let view) = target, case .string(let name) = key, let member = view.member(name, isWritten: true)
        {
            return member
        }
        return try index(target, key, meter)
    }

    /// The index a number means: rounded down; a NaN means none.
    private static func position(_ key: Value) -> Int? {
        guard let double = key.asDouble, !double.isNaN else { return nil }
        return Int(max(-1e15, min(1e15, double.rounded(.down))))
    }

    /// The range a slice means in so many elements.
    static func bounds(_ key: Value, _ count: Int) throws(JQError) -> Range<Int> {
        let object = key.asObject ?? ValueObject()
        guard let from = object["start"], let to = object["end"], from.isNull || from.isNumber,
            to.isNull || to.isNumber
        else {
            throw JQError("Start and end indices of an array slice must be numbers")
        }
        func place(_ value: Value, _ absent: Int, _ mode: FloatingPointRoundingRule) -> Int {
            guard var at = value.asDouble, !at.isNaN else { return absent }
            if at < 0 { at += Double(count) }
            return Int(max(0, min(Double(count), at.rounded(mode))))
        }
        let start = place(from, 0, .down)
        return start..<max(start, place(to, count, .up))
    }

    static func get(_ target: Value, _ path: ArraySlice<Value>, _ meter: Meter) throws(JQError) -> Value {
        var value = target
        for key in path {
            if value.isNull { return .null }
            value = try index(value, key, meter)
        }
        return value
    }

    /// Takes the value at a path out, leaving `null` where that costs nothing to put back.
    static func take(
        _ target: inout Value,
        _ path: ArraySlice<Value>,
        _ meter: Meter
    ) throws(JQError) -> Value {
        guard let key = path.first else {
            var value = Value.null
            swap(&value, &target)
            return value
        }
        target.open()
        switch (target, key) {
        case (.object(var object), .string(let name)):
            target = .null
            defer { target = .object(object) }
            guard var child = object.take(name) else { return .null }
            let value = try take(&child, path.dropFirst(), meter)
            object.put(name, child)
            return value
        case (.array(var array), .integer), (.array(var array), .double), (.array(var array), .literal):
            guard let at = position(key) else { return .null }
            let place = at < 0 ? at + array.elements.count : at
            guard array.elements.indices.contains(place) else { return .null }
            target = .null
            defer { target = .array(array) }
            var child = array.take(place)
            let value = try take(&child, path.dropFirst(), meter)
            array.put(place, child)
            return value
        default: return try get(target, path, meter)
        }
    }

    static func set(
        _ target: inout Value,
        _ path: ArraySlice<Value>,
        _ value: Value,
        _ meter: Meter
    ) throws(JQError) {
        guard let key = path.first else {
            target = value
            return
        }
        let rest = path.dropFirst()
        target.open()
        switch (target.rank, key.rank) {
        case (0, 4), (6, 4):
            guard case .string(let name) = key else { return }
            var object = ValueObject()
            if case .object(let own) = target { object = own }
            target = .null
            var child = object.take(name) ?? .null
            try set(&child, rest, value, meter)
            try meter.take(MemoryLayout<ValueObject.Member>.stride)
            object.put(name, child)
            target = .object(object)
        case (0, 3), (5, 3):
            var array = ValueArray([])
            if case .array(let own) = target { array = own }
            target = .null
            guard let at = position(key) else { throw JQError("Cannot set array element at NaN index") }
            let place = at < 0 ? at + array.elements.count : at
            if place < 0 { throw JQError("Out of bounds negative array index") }
            if place > 536_870_911 { throw JQError("Array index too large") }
            let grown = max(0, place + 1 - array.elements.count)
            try meter.take(max(grown, 1) * MemoryLayout<Value>.stride)
            array.pad(to: place + 1)
            var child = array.take(place)
            try set(&child, rest, value, meter)
            array.put(place, child)
            target = .array(array)
        case (0, 6), (5, 6):
            var array = ValueArray([])
            if case .array(let own) = target { array = own }
            let range = try bounds(key, array.elements.count)
            var part = Value.array(ValueArray(Array(array.elements[range])))
            if target.isNull, !rest.isEmpty { part = .null }
            try set(&part, rest, value, meter)
            guard case .array(let new) = part.opened else {
                throw JQError("A slice of an array can only be assigned another array")
            }
            target = .null
            try meter.take((array.elements.count + new.elements.count) * MemoryLayout<Value>.stride)
            array.replace(range, with: new)
            target = .array(array)
        case (4, 6): throw JQError("Cannot update string slices")
        case (5, 5): throw JQError("Cannot update field at array index of array")
        default: throw Failure.index(target, key)
        }
    }

    /// Deletes several paths, the last ones first, so that the earlier stay true.
    static func delete(_ target: inout Value, _ paths: [Value], _ meter: Meter) throws(JQError) {
        let order = try Order.sorted(paths, by: paths, meter)
        // Single keys of one array are deleted together: filtering a long one stays linear.
        var last: Value?
        var singles: Set<Int> = []
        for at in order.reversed() {
            if let last, Order.compare(last, paths[at], meter) == 0 { continue }
            last = paths[at]
            guard let path = paths[at].asArray else { throw JQError("Path must be specified as an array") }
            if path.count == 1, case .array(let array) = target.opened, path[0].isNumber, let key = position(path[0]) {
                singles.insert(key < 0 ? key + array.elements.count : key)
                continue
            }
            try flush(&target, &singles)
            try delete(&target, path[...], meter)
        }
        try flush(&target, &singles)
    }

    private static func flush(_ target: inout Value, _ singles: inout Set<Int>) throws(JQError) {
        guard !singles.isEmpty else { return }
        target = target.opened
        if case .array(var array) = target {
            target = .null
            array.remove { singles.contains($0) }
            target = .array(array)
        }
        singles = []
    }

    private static func delete(_ target: inout Value, _ path: ArraySlice<Value>, _ meter: Meter) throws(JQError) {
        guard let key = path.first else {
            target = .null
            return
        }
        if target.isNull { return }
        try meter.step()
        let rest = path.dropFirst()
        if !rest.isEmpty {
            if try get(target, [key], meter).isNull { return }
            var child = try take(&target, [key], meter)
            try delete(&child, rest, meter)
            return try set(&target, [key], child, meter)
        }
        target.open()
        switch (target.rank, key.rank) {
        case (6, 4):
            guard case .object(var object) = target, case .string(let name) = key else { return }
            target = .null
            object.remove(name)
            target = .object(object)
        case (5, 3):
            guard case .array(var array) = target, let at = position(key) else { return }
            let place = at < 0 ? at + array.elements.count : at
            target = .null
            array.remove { $0 == place }
            target = .array(array)
        case (5, 6):
            guard case .array(var array) = target else { return }
            let range = try bounds(key, array.elements.count)
            array.remove { range.contains($0) }
            target = .array(array)
        default:
            let place =
                switch target.rank {
                case 6: "object with \(key.typeName)"
                case 5: "array with \(key.typeName)"
                default: "field at \(key.rank == 4 ? "object" : "array") index of \(target.typeName)"
                }
            throw JQError(
                target.rank >= 5
                    ? "Cannot delete field at \(key.rank == 4 ? "object" : "array") index of \(target.typeName)"
                    : "Cannot delete \(place)"
            )
        }
    }
}
