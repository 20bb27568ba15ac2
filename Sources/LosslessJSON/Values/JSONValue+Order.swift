extension JSONValue: Hashable, Comparable {
    private var rank: Int {
        switch self {
        case .null: 0
        case .bool(false): 1
        case .bool(true): 2
        case .number: 3
        case .string: 4
        case .array: 5
        case .object: 6
        }
    }

    /// Whether both are equal: numbers by decimal value, strings by bytes, objects without regard to order.
    public static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a.count == b.count && a.members.allSatisfy { b[$0.key] == $0.value }
        default: false
        }
    }

    /// jq's order: null, false, true, numbers, strings, arrays, objects (first by their sorted keys, then by values).
    public static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.number(let a), .number(let b)): return a < b
        case (.string(let a), .string(let b)): return a < b
        case (.array(let a), .array(let b)): return a.lexicographicallyPrecedes(b)
        case (.object(let a), .object(let b)):
            let (aKeys, bKeys) = (a.keys.sorted(), b.keys.sorted())
            if aKeys != bKeys { return aKeys.lexicographicallyPrecedes(bKeys) }
            for key in aKeys where a[key] != b[key] {
                guard let first = a[key], let second = b[key] else { continue }
                return first < second
            }
            return false
        default: return left.rank < right.rank
        }
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rank)
        switch self {
        case .null, .bool: break
        case .number(let number): hasher.combine(number)
        case .string(let string): hasher.combine(string)
        case .array(let elements): hasher.combine(elements)
        case .object(let object):
            var combined = 0
            for (key, value) in object.members {
                var member = Hasher()
                member.combine(key)
                member.combine(value)
                combined ^= member.finalize()
            }
            hasher.combine(combined)
        }
    }
}
