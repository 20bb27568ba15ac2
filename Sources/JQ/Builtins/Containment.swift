import LosslessJSON

/// `contains`: a part of a text, elements of an array, members of an object.
enum Containment {
    static func contains(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Bool {
        try meter.step()
        switch (a.rank, b.rank) {
        case (6, 6): return try objects(a, b, meter)
        case (5, 5): return try arrays(a, b, meter)
        case (4, 4): return try texts(a, b, meter)
        case let (x, y) where x == y || isComparable(x, y): return try isEqual(a, b, meter)
        default: throw Failure.refused(a, b, "cannot have their containment checked")
        }
    }

    /// Whether both are of one type: `false` and `true` have ranks of their own.
    private static func isComparable(_ x: Int, _ y: Int) -> Bool { x == y || x + y == 3 && max(x, y) == 2 }

    private static func isEqual(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Bool {
        let isEqual = Order.compare(a, b, meter) == 0
        try meter.check()
        return isEqual
    }

    private static func objects(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Bool {
        let own = try a.object(meter) ?? ValueObject()
        for member in try b.object(meter)?.members ?? [] {
            guard let value = own[member.key], try contains(value, member.value, meter) else { return false }
        }
        return true
    }

    private static func arrays(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Bool {
        let elements = try a.array(meter) ?? []
        for wanted in try b.array(meter) ?? [] {
            try meter.step(elements.count / 16)
            guard try isAny(elements, wanted, meter) else { return false }
        }
        return true
    }

    private static func isAny(_ elements: [Value], _ wanted: Value, _ meter: Meter) throws(JQError) -> Bool {
        for element in elements where isComparable(element.rank, wanted.rank) {
            if try contains(element, wanted, meter) { return true }
        }
        return false
    }

    private static func texts(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Bool {
        let wanted = Array((b.asText ?? "").utf8)
        if wanted.isEmpty { return true }
        try meter.copy(bytes: wanted.count + (a.asText?.utf8.count ?? 0))
        return try !Texts.places(of: wanted, in: Array((a.asText ?? "").utf8), overlapping: false, meter).isEmpty
    }
}
