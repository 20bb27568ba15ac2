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

    /// Makes sure that the value may leave the engine: parts that it shares with itself are then held once each.
    func weigh(_ meter: Meter) throws(JQError) {
        var budget = meter.limits.bytes
        try weigh(meter, &budget)
    }

    private func weigh(_ meter: Meter, _ budget: inout Int) throws(JQError) {
        budget -= 40
        if budget < 0 { throw meter.bytesError }
        switch self {
        case .array(let array): for element in array.elements { try element.weigh(meter, &budget) }
        case .object(let object): for member in object.members { try member.value.weigh(meter, &budget) }
        default: break
        }
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
        try write(to: &bytes, limit: meter.limits.bytes)
        if bytes.count > meter.limits.bytes { throw meter.bytesError }
        try meter.take(bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The beginning of the compact JSON, enough to show.
    func shortText(limit: Int) -> String {
        var bytes: [UInt8] = []
        do { try write(to: &bytes, limit: limit) } catch {}
        return String(decoding: bytes, as: UTF8.self)
    }

    private func write(to bytes: inout [UInt8], limit: Int) throws(JQError) {
        if bytes.count > limit { throw JQError(.bytes, message: "the program held more than \(limit) bytes") }
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer, .double, .literal: bytes.append(contentsOf: (numberText ?? "null").utf8)
        case .string(let string): Self.quote(string.text, &bytes)
        case .json, .view: try opened.write(to: &bytes, limit: limit)
        case .array(let array):
            bytes.append(UInt8(ascii: "["))
            for (at, element) in array.elements.enumerated() {
                if at > 0 { bytes.append(UInt8(ascii: ",")) }
                try element.write(to: &bytes, limit: limit)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (at, member) in object.members.enumerated() {
                if at > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.quote(member.key.text, &bytes)
                bytes.append(UInt8(ascii: ":"))
                try member.value.write(to: &bytes, limit: limit)
            }
            bytes.append(UInt8(ascii: "}"))
        }
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
