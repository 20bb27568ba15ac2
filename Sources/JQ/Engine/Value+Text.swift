import LosslessJSON

extension Value {
    /// The number's text: as it was written, or in the shortest form; a NaN is `null`.
    var numberText: String? {
        switch self {
        case .integer(let integer): String(integer)
        case .literal(let number): number.text
        case .double(let double):
            if double.isNaN {
                "null"
            } else if double == 0, double.sign == .minus {
                "-0"
            } else {
                JSONNumber(double)?.text ?? "null"
            }
        default: nil
        }
    }

    /// The value as it leaves the engine.
    func exported(_ meter: Meter) throws(JQError) -> JSONValue {
        try weigh(meter)
        return exported
    }

    /// The value as a tree, once it has been weighed.
    var exported: JSONValue {
        switch self {
        case .null: return .null
        case .bool(let bool): return .bool(bool)
        case .integer(let integer): return .number(JSONNumber(integer))
        case .double:
            return JSONNumber(numberText ?? "null").map { .number($0) } ?? .null
        case .literal(let number): return .number(number)
        case .string(let string): return .string(string)
        case .json(let json): return json
        case .view(let view): return view.value
        case .array(let array): return .array(array.elements.map(\.exported))
        case .object(let object):
            var result = JSONObject()
            for member in object.members { result[member.key] = member.value.exported }
            return .object(result)
        }
    }

    /// Compact JSON.
    func text(_ meter: Meter) throws(JQError) -> String {
        var bytes: [UInt8] = []
        guard write(to: &bytes, limit: meter.limits.bytes) else { throw meter.bytesError }
        try meter.copy(bytes: 2 * bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The beginning of the compact JSON, enough to show.
    func shortText(limit: Int) -> String {
        var bytes: [UInt8] = []
        _ = write(to: &bytes, limit: limit)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the compact text.
    ///
    /// - Returns: `false` where it ended early, beyond the limit.
    func write(to bytes: inout [UInt8], limit: Int) -> Bool {
        if bytes.count > limit { return false }
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer, .double, .literal: bytes.append(contentsOf: (numberText ?? "null").utf8)
        case .string(let string): Self.quote(string.text, limit, &bytes)
        case .array(let array): return Self.write(array.elements, limit, &bytes) { $0 }
        case .json(.array(let elements)): return Self.write(elements, limit, &bytes) { Value($0) }
        case .object(let object): return Self.write(object.members, limit, &bytes) { ($0.key, $0.value) }
        case .json(.object(let object)): return Self.write(object.members, limit, &bytes) { ($0.key, Value($0.value)) }
        case .json(let scalar): return Value(scalar).write(to: &bytes, limit: limit)
        case .view(let view):
            if view.kind == .object { return view.opened.write(to: &bytes, limit: limit) }
            return view.document.withCursor { cursor in
                guard view.kind == .array else {
                    return Value(cursor, view.node, in: view.document).write(to: &bytes, limit: limit)
                }
                return Self.write(view.nodes(cursor), limit, &bytes) { Value(cursor, $0, in: view.document) }
            }
        }
        return bytes.count <= limit
    }

    private static func write<Elements: Sequence>(
        _ elements: Elements,
        _ limit: Int,
        _ bytes: inout [UInt8],
        _ value: (Elements.Element) -> Value
    ) -> Bool {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            guard value(element).write(to: &bytes, limit: limit) else { return false }
        }
        bytes.append(UInt8(ascii: "]"))
        return true
    }

    private static func write<Member>(
        _ members: [Member],
        _ limit: Int,
        _ bytes: inout [UInt8],
        _ member: (Member) -> (JSONString, Value)
    ) -> Bool {
        bytes.append(UInt8(ascii: "{"))
        for at in members.indices {
            if at > 0 { bytes.append(UInt8(ascii: ",")) }
            let (key, value) = member(members[at])
            quote(key.text, limit, &bytes)
            bytes.append(UInt8(ascii: ":"))
            guard value.write(to: &bytes, limit: limit) else { return false }
        }
        bytes.append(UInt8(ascii: "}"))
        return true
    }

    /// No more of a text than is shown: it may be as long as all that is allowed.
    private static func quote(_ text: String, _ limit: Int, _ bytes: inout [UInt8]) {
        guard text.utf8.count > limit else { return quote(text, &bytes) }
        var short = String.UnicodeScalarView()
        short.append(contentsOf: text.unicodeScalars.prefix(limit))
        quote(String(short), &bytes)
    }

    private static func quote(_ text: String, _ bytes: inout [UInt8]) {
        // jq escapes U+007F too.
        guard text.utf8.contains(0x7F) else { return JSONText.appendQuoted(text, to: &bytes) }
        var quoted: [UInt8] = []
        JSONText.appendQuoted(text, to: &quoted)
        for byte in quoted {
            if byte == 0x7F { bytes.append(contentsOf: "\\u007f".utf8) } else { bytes.append(byte) }
        }
    }
}
