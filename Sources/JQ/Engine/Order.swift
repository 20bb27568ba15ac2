import LosslessJSON

/// Equality and jq's order, numbers by exact decimal value, a NaN below every number and itself.
enum Order {
    /// Below, equal or above: -1, 0, 1. Once the budget is used up everything is equal; `Meter.check` says so.
    static func compare(_ a: Value, _ b: Value, _ meter: Meter) -> Int {
        meter.spend(1)
        if meter.isExhausted { return 0 }
        let (rankA, rankB) = (a.rank, b.rank)
        if rankA != rankB { return rankA < rankB ? -1 : 1 }
        switch rankA {
        case 3: return numbers(a, b, meter)
        case 4:
            guard case .string(let x) = a, case .string(let y) = b else { return 0 }
            meter.spend(min(x.text.utf8.count, y.text.utf8.count) / Meter.stepBytes)
            return x == y ? 0 : x < y ? -1 : 1
        case 5, 6:
            do throws(JQError) {
                return rankA == 5 ? try arrays(a, b, meter) : try objects(a, b, meter)
            } catch {
                meter.fail(error)
                return 0
            }
        default: return 0
        }
    }

    private static func arrays(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Int {
        let (x, y) = (try a.array(meter) ?? [], try b.array(meter) ?? [])
        for (left, right) in zip(x, y) {
            let order = compare(left, right, meter)
            if order != 0 { return order }
        }
        return x.count == y.count ? 0 : x.count < y.count ? -1 : 1
    }

    private static func objects(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Int {
        let (x, y) = (try a.object(meter) ?? ValueObject(), try b.object(meter) ?? ValueObject())
        try meter.step(2 * (x.members.count + y.members.count))
        let (keysX, keysY) = (x.sortedKeys, y.sortedKeys)
        if keysX != keysY { return keysX.lexicographicallyPrecedes(keysY) ? -1 : 1 }
        for key in keysX {
            let order = compare(x[key] ?? .null, y[key] ?? .null, meter)
            if order != 0 { return order }
        }
        return 0
    }

    private static func numbers(_ a: Value, _ b: Value, _ meter: Meter) -> Int {
        if case .integer(let x) = a, case .integer(let y) = b { return x == y ? 0 : x < y ? -1 : 1 }
        if case .double(let x) = a {
            if x.isNaN { return -1 }
            if case .double(let y) = b { return x < y ? -1 : x == y ? 0 : 1 }
        }
        if case .double(let y) = b, y.isNaN { return 1 }
        guard let x = decimal(a), let y = decimal(b) else { return 0 }
        meter.spend((x.text.utf8.count + y.text.utf8.count) / 4)
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
        try meter.copy(elements: values.count)
        // Opened once, and not for each comparison.
        var opened: [Value] = []
        opened.reserveCapacity(keys.count)
        for key in keys { opened.append(try key.opened(meter)) }
        let order = values.indices.sorted { a, b in
            let order = compare(opened[a], opened[b], meter)
            return order != 0 ? order < 0 : a < b
        }
        try meter.check()
        return order
    }
}
