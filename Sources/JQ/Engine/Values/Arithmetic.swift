import Foundation
import LosslessJSON

/// The operators. Integers that fit in 64 bits are exact under `+`, `-`, `*` and division without a remainder; everything else is
/// an IEEE double, as in jq.
enum Arithmetic {
    static func apply(
        _ operation: JQSyntax.Operator,
        _ a: Value,
        _ b: Value,
        _ meter: Meter
    ) throws(JQError) -> Value {
        switch operation {
        case .add: return try add(a, b, meter)
        case .subtract:
            try read(a, b, meter)
            return try subtract(a, b, meter)
        case .multiply:
            try read(a, b, meter)
            return try multiply(a, b, meter)
        case .divide:
            try read(a, b, meter)
            return try divide(a, b, meter)
        case .modulo:
            try read(a, b, meter)
            return try modulo(a, b)
        default:
            let isEquality = operation == .equal || operation == .unequal
            let order = Order.compare(a, b, meter, isEquality ? "Equality check" : "Comparison")
            try meter.check()
            switch operation {
            case .equal: return .bool(order == 0)
            case .unequal: return .bool(order != 0)
            case .less: return .bool(order < 0)
            case .lessOrEqual: return .bool(order <= 0)
            case .greater: return .bool(order > 0)
            default: return .bool(order >= 0)
            }
        }
    }

    @inline(__always)
    private static func read(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) {
        try meter.read(a)
        try meter.read(b)
    }

    /// A number without its text: an integer, or a double.
    static func plain(_ value: Value) -> Value {
        guard case .literal(let number) = value else { return value }
        if let integer = Int64(number.text), integer != 0 { return .integer(integer) }
        let double = number.double
        if double == 0 { return number.text.hasPrefix("-") ? .double(-0.0) : .integer(0) }
        if let integer = number.int64 { return .integer(integer) }
        return .double(double)
    }

    private static func numbers(
        _ a: Value,
        _ b: Value,
        _ exact: (Int64, Int64) -> (partialValue: Int64, overflow: Bool),
        _ rounded: (Double, Double) -> Double
    ) -> Value? {
        guard a.isNumber, b.isNumber else { return nil }
        let (x, y) = (plain(a), plain(b))
        if case .integer(let i) = x, case .integer(let j) = y {
            let (result, overflow) = exact(i, j)
            if !overflow { return .integer(result) }
        }
        guard let i = x.asDouble, let j = y.asDouble else { return nil }
        return .double(rounded(i, j))
    }

    /// For the engine's own counters.
    static func add(_ a: Value, _ b: Value) throws(JQError) -> Value {
        numbers(a, b, { $0.addingReportingOverflow($1) }, +) ?? .null
    }

    private static func add(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Value {
        var sum = a
        try add(to: &sum, b, meter)
        return sum
    }

    /// Adds in place: a uniquely owned value grows without a copy.
    static func add(to a: inout Value, _ b: Value, _ meter: Meter) throws(JQError) {
        try a.open(meter)
        switch (a.rank, b.rank) {
        case (0, _): a = b
        case (_, 0): break
        case (3, 3):
            try read(a, b, meter)
            a = numbers(a, b, { $0.addingReportingOverflow($1) }, +) ?? .null
        case (4, 4):
            let more = b.asText ?? ""
            try meter.copy(bytes: more.utf8.count)
            var text = ""
            if case .string(let own) = a { text = own.text }
            if text.utf8.count + more.utf8.count > meter.limits.bytes { throw meter.bytesError }
            a = .null
            let place = text.place
            text += more
            // A shared value, or one without spare capacity, was copied.
            if text.place != place { try meter.copy(bytes: text.utf8.count) }
            a = .text(text)
        case (5, 5):
            guard case .array(let more) = try b.opened(meter) else { return }
            try meter.copy(elements: more.elements.count)
            var array = ValueArray([])
            if case .array(let own) = a { array = own }
            a = .null
            let place = array.place
            array.append(contentsOf: more)
            if array.place != place { try meter.copy(elements: array.elements.count) }
            a = .array(array)
        case (6, 6):
            guard case .object(let more) = try b.opened(meter) else { return }
            try meter.copy(elements: 3 * more.members.count)
            var object = ValueObject()
            if case .object(let own) = a { object = own }
            a = .null
            let place = object.place
            for member in more.members { object.put(member.key, member.value) }
            if object.place != place { try meter.copy(elements: 3 * object.members.count) }
            a = .object(object)
        default: throw Failure.pair(a, b, "added")
        }
    }

    private static func subtract(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Value {
        if let result = numbers(a, b, { $0.subtractingReportingOverflow($1) }, -) { return result }
        guard let x = try a.array(meter), let y = try b.array(meter) else { throw Failure.pair(a, b, "subtracted") }
        var kept: [Value] = []
        for element in x where !y.contains(where: { Order.compare(element, $0, meter, "Equality check") == 0 }) {
            kept.append(element)
        }
        try meter.check()
        return .array(ValueArray(kept))
    }

    private static func multiply(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Value {
        if let result = numbers(a, b, { $0.multipliedReportingOverflow(by: $1) }, *) {
            // 0 times a negative number is -0 for doubles; integers have none.
            return result
        }
        switch (a.rank, b.rank) {
        case (4, 3): return try repeated(a, b, meter)
        case (3, 4): return try repeated(b, a, meter)
        case (6, 6): return try merged(a, b, meter)
        default: throw Failure.pair(a, b, "multiplied")
        }
    }

    private static func repeated(_ text: Value, _ count: Value, _ meter: Meter) throws(JQError) -> Value {
        guard let text = text.asText, let count = count.asDouble, count >= 0 else { return .null }
        if text.isEmpty { return .text("") }
        let times = Int(min(count, 1e15))
        let (size, overflow) = text.utf8.count.multipliedReportingOverflow(by: times)
        if overflow || size > Int32.max { throw JQError("Repeat string result too long") }
        try meter.copy(bytes: size)
        return .text(String(repeating: text, count: times))
    }

    /// The maximum depth of objects that are merged, as in jq.
    private static let mergeDepthLimit = 10_000

    /// An object that grows by another's members.
    private struct Merge {
        var result: ValueObject
        let members: [ValueObject.Member]
        var next = 0

        init(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) {
            result = try a.object(meter) ?? ValueObject()
            members = try b.object(meter)?.members ?? []
            try meter.copy(elements: 3 * (result.members.count + members.count))
        }
    }

    private static func merged(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Value {
        var merge = try Merge(a, b, meter)
        var outer: [Merge] = []
        while true {
            guard merge.next < merge.members.count else {
                let whole = Value.object(merge.result)
                guard let last = outer.popLast() else { return whole }
                merge = last
                merge.result.put(merge.members[merge.next].key, whole)
                merge.next += 1
                continue
            }
            let member = merge.members[merge.next]
            if member.value.rank == 6, let own = merge.result[member.key], own.rank == 6 {
                if outer.count >= mergeDepthLimit { throw JQError("Object merge too deep") }
                let inner = try Merge(own, member.value, meter)
                outer.append(merge)
                merge = inner
            } else {
                merge.result.put(member.key, member.value)
                merge.next += 1
            }
        }
    }

    private static func divide(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Value {
        if a.isNumber, b.isNumber {
            let (x, y) = (plain(a), plain(b))
            guard let i = x.asDouble, let j = y.asDouble else { return .null }
            if j == 0 { throw Failure.pair(a, b, "divided because the divisor is zero") }
            if case .integer(let i) = x, case .integer(let j) = y, j != -1, i % j == 0, i != 0 {
                return .integer(i / j)
            }
            return .double(i / j)
        }
        if case .string(let x) = a, case .string(let y) = b {
            return .array(ValueArray(try StringFunctions.split(x.text, y.text, meter)))
        }
        throw Failure.pair(a, b, "divided")
    }

    private static func modulo(_ a: Value, _ b: Value) throws(JQError) -> Value {
        guard a.isNumber, b.isNumber else { throw Failure.pair(a, b, "divided (remainder)") }
        let (x, y) = (plain(a), plain(b))
        if x.asDouble?.isNaN == true || y.asDouble?.isNaN == true { return .double(.nan) }
        let (i, j) = (truncated(x), truncated(y))
        if j == 0 { throw Failure.pair(a, b, "divided (remainder) because the divisor is zero") }
        // The sign is the dividend's; -1 would overflow on the smallest integer.
        return .integer(j == -1 ? 0 : i % j)
    }

    static func truncated(_ value: Value) -> Int64 {
        if case .integer(let integer) = value { return integer }
        let double = value.asDouble ?? 0
        if double >= 9.2e18 { return .max }
        if double <= -9.2e18 { return .min }
        return Int64(double)
    }

    static func negate(_ value: Value) throws(JQError) -> Value {
        switch value {
        case .literal(let number):
            // The digits are preserved.
            let text = number.text.hasPrefix("-") ? String(number.text.dropFirst()) : "-" + number.text
            return JSONNumber(text).map { .literal($0) } ?? .null
        case .integer(let integer):
            if integer == 0 { return .double(-0.0) }
            return integer == .min ? .double(-Double(integer)) : .integer(-integer)
        case .double(let double): return .double(-double)
        default: throw Failure.single(value, "cannot be negated")
        }
    }
}
