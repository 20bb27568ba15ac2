import LosslessJSON

/// Equality and jq's order, numbers by exact decimal value, a NaN below every number and itself.
enum Order {
    /// Below, equal or above: -1, 0, 1. Once the budget is used up, or values are too deep, everything is equal; `Meter.check`
    /// reports it.
    ///
    /// - Parameter what: The operation, for the error if values are too deep.
    static func compare(_ a: Value, _ b: Value, _ meter: Meter, _ what: StaticString = "Comparison") -> Int {
        if let order = scalars(a, b, meter) { return order }
        do throws(JQError) { return try containers(a, b, meter, what) } catch {
            meter.fail(error)
            return 0
        }
    }

    /// The maximum number of levels compared, as in jq.
    private static let depthLimit = 10_000

    /// - Returns: `nil` for two arrays or two objects.
    @inline(__always)
    private static func scalars(_ a: Value, _ b: Value, _ meter: Meter) -> Int? {
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
        case 5, 6: return nil
        default: return 0
        }
    }

    /// Two containers whose elements before a position are equal.
    private struct Level {
        let x: [Value]
        let y: [Value]
        /// The result if all elements are equal.
        let rest: Int
        var next = 0

        init(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) {
            if a.rank == 5 {
                x = try a.array(meter) ?? []
                y = try b.array(meter) ?? []
                rest = x.count == y.count ? 0 : x.count < y.count ? -1 : 1
                return
            }
            let (left, right) = (try a.object(meter) ?? ValueObject(), try b.object(meter) ?? ValueObject())
            try meter.step(2 * (left.members.count + right.members.count))
            let (keys, others) = (left.sortedKeys, right.sortedKeys)
            // Keys come first, then the values in the keys' order.
            let isSame = keys == others
            x = isSame ? keys.map { left[$0] ?? .null } : []
            y = isSame ? keys.map { right[$0] ?? .null } : []
            rest = isSame ? 0 : keys.lexicographicallyPrecedes(others) ? -1 : 1
        }
    }

    private static func containers(
        _ a: Value,
        _ b: Value,
        _ meter: Meter,
        _ what: StaticString
    ) throws(JQError) -> Int {
        var level = try Level(a, b, meter)
        var outer: [Level] = []
        while !meter.isExhausted {
            let at = level.next
            guard at < min(level.x.count, level.y.count) else {
                if level.rest != 0 { return level.rest }
                guard let last = outer.popLast() else { return 0 }
                level = last
                continue
            }
            level.next += 1
            if outer.count >= depthLimit { throw JQError("\(what) too deep") }
            if let order = scalars(level.x[at], level.y[at], meter) {
                if order != 0 { return order }
                continue
            }
            let inner = try Level(level.x[at], level.y[at], meter)
            outer.append(level)
            level = inner
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
        if let x = integer(a), let y = integer(b) { return x == y ? 0 : x < y ? -1 : 1 }
        guard let x = decimal(a), let y = decimal(b) else { return 0 }
        meter.spend((x.text.utf8.count + y.text.utf8.count) / 4)
        return x == y ? 0 : x < y ? -1 : 1
    }

    /// An integer with few enough digits to be read at once.
    private static func integer(_ value: Value) -> Int64? {
        switch value {
        case .integer(let integer): integer
        case .literal(let number): number.text.utf8.count <= 18 ? Int64(number.text) : nil
        default: nil
        }
    }

    private static func decimal(_ value: Value) -> JSONNumber? {
        switch value {
        case .literal(let number): number
        case .integer(let integer): JSONNumber(integer)
        case .double(let double): JSONNumber(double)
        default: nil
        }
    }

    /// Sorted stably.
    static func sorted(_ values: [Value], by keys: [Value], _ meter: Meter) throws(JQError) -> [Int] {
        try meter.copy(elements: values.count)
        // Opened once, not for each comparison.
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
