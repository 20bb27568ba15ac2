import LosslessJSON

/// Equality and jq's order, numbers by exact decimal value, a NaN below every number and itself.
enum Order {
    /// Below, equal or above: -1, 0, 1. Once the steps are used up everything is equal; `Meter.check` says so.
    static func compare(_ a: Value, _ b: Value, _ meter: Meter) -> Int {
        meter.spend(1)
        if meter.isExhausted { return 0 }
        let (rankA, rankB) = (a.rank, b.rank)
        if rankA != rankB { return rankA < rankB ? -1 : 1 }
        switch rankA {
        case 3: return numbers(a, b)
        case 4:
            guard case .string(let x) = a, case .string(let y) = b else { return 0 }
            return x == y ? 0 : x < y ? -1 : 1
        case 5:
            let (x, y) = (a.asArray ?? [], b.asArray ?? [])
            for (left, right) in zip(x, y) {
                let order = compare(left, right, meter)
                if order != 0 { return order }
            }
            return x.count == y.count ? 0 : x.count < y.count ? -1 : 1
        case 6:
            let (x, y) = (a.asObject ?? ValueObject(), b.asObject ?? ValueObject())
            let (keysX, keysY) = (x.sortedKeys, y.sortedKeys)
            if keysX != keysY { return keysX.lexicographicallyPrecedes(keysY) ? -1 : 1 }
            for key in keysX {
                let order = compare(x[key] ?? .null, y[key] ?? .null, meter)
                if order != 0 { return order }
            }
            return 0
        default: return 0
        }
    }

    private static func numbers(_ a: Value, _ b: Value) -> Int {
        if case .integer(let x) = a, case .integer(let y) = b { return x == y ? 0 : x < y ? -1 : 1 }
        if case .double(let x) = a {
            if x.isNaN { return -1 }
            if case .double(let y) = b { return x < y ? -1 : x == y ? 0 : 1 }
        }
        if case .double(let y) = b, y.isNaN { return 1 }
        guard let x = decimal(a), let y = decimal(b) else { return 0 }
        return x == y ? 0 : x < y ? -1 : 1
    }

    private static func decimal(_ value: Value) -> JSONNumber? {
        switch value {
        case .literal(let number): number
        case .integer(let integer): JSONNumber(integer)
        case .double(let double): JSONNumber(double)
        default: nil
        }
    }

    /// Sorted, equal ones in their order.
    static func sorted(_ values: [Value], by keys: [Value], _ meter: Meter) throws(JQError) -> [Int] {
        // Opened once, and not for each comparison.
        let keys = keys.map(\.opened)
        let order = values.indices.sorted { a, b in
            let order = compare(keys[a], keys[b], meter)
            return order != 0 ? order < 0 : a < b
        }
        try meter.check()
        return order
    }
}
