import LosslessJSON

/// String operations.
enum StringFunctions {
    static func split(_ text: String, _ separator: String, _ meter: Meter) throws(JQError) -> [Value] {
        if text.isEmpty { return [] }
        if separator.isEmpty {
            try meter.copy(elements: text.utf8.count)
            return text.unicodeScalars.map { .text(String($0)) }
        }
        try meter.copy(bytes: text.utf8.count + separator.utf8.count)
        let (bytes, wanted) = (Array(text.utf8), Array(separator.utf8))
        let places = try places(of: wanted, in: bytes, overlapping: false, meter)
        var parts: [Value] = []
        parts.reserveCapacity(places.count + 1)
        var start = 0
        for place in 0...places.count {
            let at = place < places.count ? places[place] : bytes.count
            try meter.copy(elements: 1)
            try meter.copy(bytes: at - start)
            parts.append(.text(String(decoding: bytes[start..<at], as: UTF8.self)))
            start = at + wanted.count
        }
        return parts
    }

    /// The positions of some bytes in others. A step is 16 bytes examined, for these loops are tight.
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
        try meter.step(places.count / 4)
        return places
    }

    /// The positions of one array in another.
    static func indices(of wanted: [Value], in elements: [Value], _ meter: Meter) throws(JQError) -> Value {
        guard !wanted.isEmpty else { return .array(ValueArray([])) }
        var places: [Value] = []
        for at in elements.indices where at + wanted.count <= elements.count {
            var same = 0
            while same < wanted.count, isEqual(elements[at + same], wanted[same], meter) { same += 1 }
            try meter.step(same + 1)
            if same == wanted.count { places.append(.count(at)) }
        }
        try meter.check()
        try meter.take(places.count * MemoryLayout<Value>.stride)
        return .array(ValueArray(places))
    }

    private static func isEqual(_ a: Value, _ b: Value, _ meter: Meter) -> Bool {
        Order.compare(a, b, meter, "Equality check") == 0
    }

    /// The positions of one text in another, in code points.
    static func indices(of wanted: String, in text: String, _ meter: Meter) throws(JQError) -> Value {
        guard !wanted.isEmpty else { return .array(ValueArray([])) }
        try meter.copy(bytes: 2 * text.utf8.count)
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

    /// The text with each ASCII byte transformed; other characters stay as they are.
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

    /// The text without Unicode white space at its start or end.
    static func trimmed(_ text: String, start: Bool, end: Bool) -> String {
        var scalars = Substring(text).unicodeScalars
        if start { scalars = scalars.drop { $0.properties.isWhitespace } }
        if end { while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() } }
        return String(scalars)
    }

    /// Whether a text begins with a part, byte by byte.
    static func starts(_ text: String, with part: String) -> Bool {
        text.utf8.count >= part.utf8.count && text.utf8.starts(with: part.utf8)
    }

    /// Whether a text ends with a part, byte by byte.
    static func ends(_ text: String, with part: String) -> Bool {
        text.utf8.count >= part.utf8.count
            && text.utf8.dropFirst(text.utf8.count - part.utf8.count).elementsEqual(part.utf8)
    }
}
