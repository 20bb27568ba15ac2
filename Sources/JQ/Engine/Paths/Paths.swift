import LosslessJSON

/// Reading and setting values at paths.
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
            if let member = try view.member(name, meter) { return member }
        case (.json(.object(let object)), .string(let name)): return object[name].map { Value($0) } ?? .null
        case (.object(let object), .string(let name)): return object[name] ?? .null
        case (.null, .string): return .null
        case (.deep(let deep), _): return try index(deep.value, key, meter)
        default: break
        }
        switch (target.rank, key.rank) {
        case (5, 3):
            try meter.read(key)
            guard let at = position(key) else { return .null }
            switch target {
            case .array(let array):
                let at = at < 0 ? at + array.elements.count : at
                return array.elements.indices.contains(at) ? array.elements[at] : .null
            case .json(.array(let elements)):
                let at = at < 0 ? at + elements.count : at
                return elements.indices.contains(at) ? Value(elements[at]) : .null
            case .view(let view): return try view.element(at, meter)
            default: return .null
            }
        case (0, 3): return .null
        case (0, 6): return .null
        case (5, 6): return try Slices.array(target, key, meter)
        case (4, 6): return try Slices.text(target, key, meter)
        case (5, 5):
            return try StringFunctions.indices(of: try key.array(meter) ?? [], in: try target.array(meter) ?? [], meter)
        default: throw Failure.index(target, key)
        }
    }

    /// Like `index`, for a value that is only written.
    static func written(_ target: Value, _ key: Value, _ meter: Meter) throws(JQError) -> Value {
        if case .view(let view) = target, case .string(let name) = key,
            let member = try view.member(name, meter, isWritten: true)
        {
            return member
        }
        return try index(target, key, meter)
    }

    /// The index that a number denotes: rounded down; a NaN denotes none.
    static func position(_ key: Value) -> Int? {
        guard let double = key.asDouble, !double.isNaN else { return nil }
        return Int(max(-1e15, min(1e15, double.rounded(.down))))
    }

    static func get(_ target: Value, _ path: ArraySlice<Value>, _ meter: Meter) throws(JQError) -> Value {
        try checkLength(path)
        var value = target
        for key in path {
            if value.isNull { return .null }
            try meter.step()
            value = try index(value, key, meter)
        }
        return value
    }

    /// The longest path that is followed, as in jq.
    private static let lengthLimit = 10_000

    static func checkLength(_ path: ArraySlice<Value>) throws(JQError) {
        if path.count > lengthLimit { throw JQError("Path too deep") }
    }
}
