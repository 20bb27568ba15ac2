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

    /// Levels that are written, as in jq.
    private static let depthLimit = 10_000

    /// A container that is being written.
    private struct Level {
        /// Open, or an array in its document.
        let container: Value
        let isObject: Bool
        /// The member that follows: its number, or its node.
        var next: Int?
    }

    /// Appends the compact text.
    ///
    /// - Returns: `false` where it ended early, beyond the limit.
    func write(to bytes: inout [UInt8], limit: Int) -> Bool {
        // No recursion: a value may be deeper than the native stack.
        var levels: [Level] = []
        var value = self
        while true {
            if levels.count > Self.depthLimit {
                bytes.append(contentsOf: "<skipped: too deep>".utf8)
            } else if let level = value.begin(limit, &bytes) {
                levels.append(level)
            }
            while let last = levels.indices.last {
                guard bytes.count <= limit else { return false }
                if let following = Self.next(&levels[last], limit, &bytes) {
                    value = following
                    break
                }
                bytes.append(UInt8(ascii: levels[last].isObject ? "}" : "]"))
                levels.removeLast()
            }
            if levels.isEmpty { return bytes.count <= limit }
        }
    }

    /// Writes a scalar, or how a container begins, which is returned.
    private func begin(_ limit: Int, _ bytes: inout [UInt8]) -> Level? {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer, .double, .literal: bytes.append(contentsOf: (numberText ?? "null").utf8)
        case .string(let string): Self.quote(string.text, limit, &bytes)
        case .array, .json(.array):
            bytes.append(UInt8(ascii: "["))
            return Level(container: self, isObject: false, next: 0)
        case .object, .json(.object):
            bytes.append(UInt8(ascii: "{"))
            return Level(container: self, isObject: true, next: 0)
        case .json(let scalar): return Value(scalar).begin(limit, &bytes)
        case .deep(let deep): return deep.value.begin(limit, &bytes)
        case .view(let view):
            switch view.kind {
            case .object: return view.opened.begin(limit, &bytes)
            case .array:
                bytes.append(UInt8(ascii: "["))
                return Level(container: self, isObject: false, next: view.firstElement)
            default:
                return view.document.withCursor { Value($0, view.node, in: view.document) }.begin(limit, &bytes)
            }
        }
        return nil
    }

    /// The member that follows, with what stands before it written; `nil` after the last.
    @inline(__always)
    private static func next(_ level: inout Level, _ limit: Int, _ bytes: inout [UInt8]) -> Value? {
        guard let at = level.next else { return nil }
        if case .view(let view) = level.container {
            let (value, next) = view.element(at: at)
            if at != view.firstElement { bytes.append(UInt8(ascii: ",")) }
            level.next = next
            return value
        }
        guard let (value, isLast) = Paths.member(of: level.container, at: at) else { return nil }
        if at > 0 { bytes.append(UInt8(ascii: ",")) }
        level.next = isLast ? nil : at + 1
        if level.isObject {
            if case .string(let key) = Paths.key(of: level.container, at: at) { quote(key.text, limit, &bytes) }
            bytes.append(UInt8(ascii: ":"))
        }
        return value
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
