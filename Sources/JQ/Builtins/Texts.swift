import LosslessJSON

/// Work on strings.
enum Texts {
    static func split(_ text: String, _ separator: String, _ meter: Meter) throws(JQError) -> [Value] {
        if text.isEmpty { return [] }
        if separator.isEmpty {
            try meter.take(text.utf8.count * MemoryLayout<Value>.stride)
            return text.unicodeScalars.map { .text(String($0)) }
        }
        let (bytes, wanted) = (Array(text.utf8), Array(separator.utf8))
        let places = try places(of: wanted, in: bytes, overlapping: false, meter)
        var parts: [Value] = []
        parts.reserveCapacity(places.count + 1)
        var start = 0
        for place in 0...places.count {
            let at = place < places.count ? places[place] : bytes.count
            try meter.take(at - start + MemoryLayout<Value>.stride)
            parts.append(.text(String(decoding: bytes[start..<at], as: UTF8.self)))
            start = at + wanted.count
        }
        return parts
    }

    /// Where some bytes stand in others. A step is 16 bytes looked at, for these loops are tight.
    static func places(
        of wanted: [UInt8],
        in bytes: [UInt8],
        overlapping: Bool,
        _ meter: Meter
    ) throws(JQError) -> [Int] {
        guard !wanted.isEmpty, wanted.count <= bytes.count else { return [] }
        try meter.step(bytes.count / 16)
        var places: [Int] = []
        var at = 0
        while at + wanted.count <= bytes.count {
            var same = 0
            while same < wanted.count, bytes[at + same] == wanted[same] { same += 1 }
            if same > 16 { try meter.step(same / 16) }
            if same == wanted.count {
                places.append(at)
                at += overlapping ? 1 : wanted.count
            } else {
                at += 1
            }
        }
        try meter.take(places.count * MemoryLayout<Int>.stride)
        return places
    }

    /// Where one array stands in another.
    static func indices(of wanted: [Value], in elements: [Value], _ meter: Meter) throws(JQError) -> Value {
        guard !wanted.isEmpty else { return .null }
        var places: [Value] = []
        for at in elements.indices where at + wanted.count <= elements.count {
            var same = 0
            while same < wanted.count, Order.compare(elements[at + same], wanted[same], meter) == 0 { same += 1 }
            try meter.step(same + 1)
            if same == wanted.count { places.append(.count(at)) }
        }
        try meter.check()
        try meter.take(places.count * MemoryLayout<Value>.stride)
        return .array(ValueArray(places))
    }

    /// Where a text stands in another, in code points.
    static func indices(of wanted: String, in text: String, _ meter: Meter) throws(JQError) -> Value {
        guard !wanted.isEmpty else { return .null }
        let bytes = Array(text.utf8)
        var codePoints = 0
        var at = 0
        var found: [Value] = []
        for place in try places(of: Array(wanted.utf8), in: bytes, overlapping: true, meter) {
            while at < place {
                if bytes[at] & 0xC0 != 0x80 { codePoints += 1 }
                at += 1
            }
            found.append(.count(codePoints))
        }
        try meter.take(found.count * MemoryLayout<Value>.stride)
        return .array(ValueArray(found))
    }

    /// The text with each byte transformed, of which those above U+007F stay as they are.
    @inline(__always)
    static func mapASCII(_ text: String, _ transform: (UInt8) -> UInt8) -> String {
        var text = text
        let changed = text.withUTF8 { bytes -> String? in
            // Most texts are in lower case already.
            guard bytes.contains(where: { transform($0) != $0 }) else { return nil }
            return String(unsafeUninitializedCapacity: bytes.count) { result in
                for at in bytes.indices { result[at] = transform(bytes[at]) }
                return bytes.count
            }
        }
        return changed ?? text
    }

    static func trimmed(_ text: String, start: Bool, end: Bool) -> String {
        let blanks: Set<Unicode.Scalar> = [" ", "\t", "\n", "\r", "\u{B}", "\u{C}"]
        var scalars = text.unicodeScalars[...]
        if start { scalars = scalars.drop { blanks.contains($0) } }
        if end { while let last = scalars.last, blanks.contains(last) { scalars.removeLast() } }
        return String(String.UnicodeScalarView(scalars))
    }

    static func contains(_ a: Value, _ b: Value, _ meter: Meter) throws(JQError) -> Bool {
        try meter.step()
        switch (a.rank, b.rank) {
        case (6, 6):
            let own = a.asObject ?? ValueObject()
            for member in b.asObject?.members ?? [] {
                guard let value = own[member.key], try contains(value, member.value, meter) else { return false }
            }
            return true
        case (5, 5):
            for wanted in b.asArray ?? [] {
                var isFound = false
                for element in a.asArray ?? [] where element.rank == wanted.rank || element.rank + wanted.rank == 3 {
                    if try contains(element, wanted, meter) {
                        isFound = true
                        break
                    }
                }
                if !isFound { return false }
            }
            return true
        case (4, 4):
            let wanted = Array((b.asText ?? "").utf8)
            if wanted.isEmpty { return true }
            return try !places(of: wanted, in: Array((a.asText ?? "").utf8), overlapping: false, meter).isEmpty
        case let (x, y) where x == y || x + y == 3 && max(x, y) == 2:
            let isEqual = Order.compare(a, b, meter) == 0
            try meter.check()
            return isEqual
        default: throw Failure.refused(a, b, "cannot have their containment checked")
        }
    }
}
