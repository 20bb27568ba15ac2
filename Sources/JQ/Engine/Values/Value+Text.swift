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

    /// The value as a tree, as it leaves the engine.
    func exported(_ meter: Meter) throws(JQError) -> JSONValue {
        try weigh(meter, depth: Meter.treeDepth, inputDepth: Meter.treeDepth + 1)
        return exported
    }

    /// The value as a tree, once it has been weighed and is known not to be too deep.
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
        case .deep(let deep): return deep.value.exported
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
        // No more is written than can be paid for afterwards.
        let isWhole = write(to: &bytes, limit: min(meter.limits.bytes, meter.affordableBytes / 2))
        try meter.copy(bytes: 2 * bytes.count)
        if !isWhole { throw meter.bytesError }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The beginning of the compact JSON, enough to show.
    func shortText(limit: Int) -> String {
        var bytes: [UInt8] = []
        _ = write(to: &bytes, limit: limit)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The maximum depth written, as in jq.
    private static let depthLimit = 10_000

    /// A container that is being written.
    private struct Level {
        /// An opened container, or an array in its document.
        let container: Value
        let isObject: Bool
        /// The following member: its number, or its node; -1 after the last node.
        var next = 0
        var isFirst = true

        /// Writes members up to the next container, which is returned.
        mutating func goOn(_ limit: Int, isDeepest: Bool, _ bytes: inout [UInt8]) -> Level? {
            switch container {
            case .array(let array):
                while next < array.elements.count, bytes.count <= limit {
                    next += 1
                    if let inner = write(array.elements[next - 1], limit, isDeepest, &bytes) { return inner }
                }
            case .object(let object):
                while next < object.members.count, bytes.count <= limit {
                    next += 1
                    let (key, value) = (object.members[next - 1].key, object.members[next - 1].value)
                    if let inner = write(value, limit, isDeepest, key: key, &bytes) { return inner }
                }
            case .json(.array(let elements)):
                while next < elements.count, bytes.count <= limit {
                    next += 1
                    if let inner = write(Value(elements[next - 1]), limit, isDeepest, &bytes) { return inner }
                }
            case .json(.object(let object)):
                while next < object.count, bytes.count <= limit {
                    next += 1
                    let member = object.members[next - 1]
                    if let inner = write(Value(member.value), limit, isDeepest, key: member.key, &bytes) {
                        return inner
                    }
                }
            case .view(let view):
                while next >= 0, bytes.count <= limit {
                    let (value, following) = view.element(at: next)
                    next = following ?? -1
                    if let inner = write(value, limit, isDeepest, &bytes) { return inner }
                }
            default: break
            }
            return nil
        }

        @inline(__always)
        private mutating func write(
            _ value: Value,
            _ limit: Int,
            _ isDeepest: Bool,
            key: JSONString? = nil,
            _ bytes: inout [UInt8]
        ) -> Level? {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            if let key {
                Value.quote(key.text, limit, &bytes)
                bytes.append(UInt8(ascii: ":"))
            }
            guard isDeepest else { return value.begin(limit, &bytes) }
            bytes.append(contentsOf: "<skipped: too deep>".utf8)
            return nil
        }
    }

    /// Appends the compact text.
    ///
    /// - Returns: `false` if it stopped early, beyond the limit.
    func write(to bytes: inout [UInt8], limit: Int) -> Bool {
        guard var level = begin(limit, &bytes) else { return bytes.count <= limit }
        // No recursion: a value may be deeper than the native stack.
        var outer: [Level] = []
        while bytes.count <= limit {
            if let inner = level.goOn(limit, isDeepest: outer.count >= Self.depthLimit, &bytes) {
                outer.append(level)
                level = inner
                continue
            }
            bytes.append(UInt8(ascii: level.isObject ? "}" : "]"))
            guard let last = outer.popLast() else { return bytes.count <= limit }
            level = last
        }
        return false
    }

    /// Writes a scalar, or the beginning of a container, which is returned.
    private func begin(_ limit: Int, _ bytes: inout [UInt8]) -> Level? {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer, .double, .literal: bytes.append(contentsOf: (numberText ?? "null").utf8)
        case .string(let string): Self.quote(string.text, limit, &bytes)
        case .array, .json(.array):
            bytes.append(UInt8(ascii: "["))
            return Level(container: self, isObject: false)
        case .object, .json(.object):
            bytes.append(UInt8(ascii: "{"))
            return Level(container: self, isObject: true)
        case .json(let scalar): return Value(scalar).begin(limit, &bytes)
        case .deep(let deep): return deep.value.begin(limit, &bytes)
        case .view(let view):
            switch view.kind {
            case .object: return view.opened.begin(limit, &bytes)
            case .array:
                bytes.append(UInt8(ascii: "["))
                return Level(container: self, isObject: false, next: view.firstElement ?? -1)
            default:
                return view.document.withCursor { Value($0, view.node, in: view.document) }.begin(limit, &bytes)
            }
        }
        return nil
    }

    /// No more of a text than is shown: it may be as long as the limits allow.
    private static func quote(_ text: String, _ limit: Int, _ bytes: inout [UInt8]) {
        guard text.utf8.count > limit else { return quote(text, &bytes) }
        var short = String.UnicodeScalarView()
        short.append(contentsOf: text.unicodeScalars.prefix(limit))
        quote(String(short), &bytes)
    }

    private static func quote(_ text: String, _ bytes: inout [UInt8]) {
        // jq escapes U+007F as well.
        guard text.utf8.contains(0x7F) else { return JSONText.appendQuoted(text, to: &bytes) }
        var quoted: [UInt8] = []
        JSONText.appendQuoted(text, to: &quoted)
        for byte in quoted {
            if byte == 0x7F { bytes.append(contentsOf: "\\u007f".utf8) } else { bytes.append(byte) }
        }
    }
}
