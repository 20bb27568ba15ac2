import LosslessJSON

/// Parts of arrays and texts: `.[2:5]`.
enum Slices {
    /// The range that a slice denotes in this many elements.
    static func bounds(_ key: Value, _ count: Int, _ meter: Meter) throws(JQError) -> Range<Int> {
        let object = try key.object(meter) ?? ValueObject()
        guard let from = object["start"], let to = object["end"], from.isNull || from.isNumber,
            to.isNull || to.isNumber
        else {
            throw JQError("Array/string slice indices must be integers")
        }
        try meter.read(from)
        try meter.read(to)
        func place(_ value: Value, _ absent: Int, _ mode: FloatingPointRoundingRule) -> Int {
            guard var at = value.asDouble, !at.isNaN else { return absent }
            if at < 0 { at += Double(count) }
            return Int(max(0, min(Double(count), at.rounded(mode))))
        }
        let start = place(from, 0, .down)
        return start..<max(start, place(to, count, .up))
    }

    static func array(_ target: Value, _ key: Value, _ meter: Meter) throws(JQError) -> Value {
        let elements = try target.array(meter) ?? []
        let range = try bounds(key, elements.count, meter)
        try meter.copy(elements: range.count)
        return .array(ValueArray(Array(elements[range])))
    }

    /// Positions in a text are code points.
    static func text(_ target: Value, _ key: Value, _ meter: Meter) throws(JQError) -> Value {
        var text = target.asText ?? ""
        try meter.copy(bytes: 2 * text.utf8.count)
        let count = text.unicodeScalars.count
        let range = try bounds(key, count, meter)
        if range.count == count { return target }
        return text.withUTF8 { bytes in
            if count == bytes.count { return .text(String(decoding: bytes[range], as: UTF8.self)) }
            var at = 0
            var passed = 0
            func move(to place: Int) {
                while passed < place {
                    repeat { at += 1 } while at < bytes.count && bytes[at] & 0xC0 == 0x80
                    passed += 1
                }
            }
            move(to: range.lowerBound)
            let start = at
            move(to: range.upperBound)
            return .text(String(decoding: bytes[start..<at], as: UTF8.self))
        }
    }
}
