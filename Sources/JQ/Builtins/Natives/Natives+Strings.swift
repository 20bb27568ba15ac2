import LosslessJSON

extension Natives {
    private static func startsWith(_ text: Value, _ part: Value, _ meter: Meter) throws(JQError) -> Bool {
        guard let text = text.asText, let part = part.asText else {
            throw JQError("startswith() requires string inputs")
        }
        try meter.work(part.utf8.count)
        return StringFunctions.starts(text, with: part)
    }

    private static func endsWith(_ text: Value, _ part: Value, _ meter: Meter) throws(JQError) -> Bool {
        guard let text = text.asText, let part = part.asText else { throw JQError("endswith() requires string inputs") }
        try meter.work(part.utf8.count)
        return StringFunctions.ends(text, with: part)
    }

    private static func cut(_ input: inout Value, _ part: Value, atStart: Bool, _ meter: Meter) throws(JQError) {
        guard let text = input.asText, let count = part.asText?.utf8.count else { return }
        try meter.copy(bytes: text.utf8.count - count)
        let rest = atStart ? text.utf8.dropFirst(count) : text.utf8.dropLast(count)
        input = .text(String(decoding: rest, as: UTF8.self))
    }

    private static func trimming(_ name: String, start: Bool, end: Bool) -> Native {
        Native(name) { (input, _, meter) throws(JQError) in
            guard let text = input.asText else { throw JQError("trim input must be a string") }
            try meter.copy(bytes: 2 * text.utf8.count)
            input = .text(StringFunctions.trimmed(text, start: start, end: end))
        }
    }

    static let strings: [Native] = [
        Native("ascii_downcase") { (input, _, meter) throws(JQError) in
            guard let text = input.asText else { throw JQError("explode input must be a string") }
            try meter.copy(bytes: text.utf8.count)
            input = .text(StringFunctions.mapASCII(text) { $0 &- 0x41 < 26 ? $0 + 0x20 : $0 })
        },
        Native("ascii_upcase") { (input, _, meter) throws(JQError) in
            guard let text = input.asText else { throw JQError("explode input must be a string") }
            try meter.copy(bytes: text.utf8.count)
            input = .text(StringFunctions.mapASCII(text) { $0 &- 0x61 < 26 ? $0 - 0x20 : $0 })
        },
        Native("explode") { (input, _, meter) throws(JQError) in
            guard let text = input.asText else { throw JQError("explode input must be a string") }
            try meter.copy(elements: text.utf8.count)
            input = .array(ValueArray(text.unicodeScalars.map { .integer(Int64($0.value)) }))
        },
        Native("startswith", 1) { (input, arguments, meter) throws(JQError) in
            input = .bool(try startsWith(input, arguments[0], meter))
        },
        Native("endswith", 1) { (input, arguments, meter) throws(JQError) in
            input = .bool(try endsWith(input, arguments[0], meter))
        },
        Native("ltrimstr", 1) { (input, arguments, meter) throws(JQError) in
            if try startsWith(input, arguments[0], meter) { try cut(&input, arguments[0], atStart: true, meter) }
        },
        Native("rtrimstr", 1) { (input, arguments, meter) throws(JQError) in
            if try endsWith(input, arguments[0], meter) { try cut(&input, arguments[0], atStart: false, meter) }
        },
        Native("trimstr", 1) { (input, arguments, meter) throws(JQError) in
            if try startsWith(input, arguments[0], meter) { try cut(&input, arguments[0], atStart: true, meter) }
            if try endsWith(input, arguments[0], meter) { try cut(&input, arguments[0], atStart: false, meter) }
        },
        trimming("trim", start: true, end: true), trimming("ltrim", start: true, end: false),
        trimming("rtrim", start: false, end: true),
        Native("split", 1) { (input, arguments, meter) throws(JQError) in
            guard let text = input.asText, let separator = arguments[0].asText else {
                throw JQError("split input and separator must be strings")
            }
            input = .array(ValueArray(try StringFunctions.split(text, separator, meter)))
        },
        Native("join", 1) { (input, arguments, meter) throws(JQError) in input = try joined(input, arguments[0], meter)
        },
        Native("_strindices", 1) { (input, arguments, meter) throws(JQError) in
            guard let text = input.asText else {
                throw Failure.single(input, "cannot be searched, as it is not a string")
            }
            guard let wanted = arguments[0].asText else { throw Failure.single(arguments[0], "is not a string") }
            input = try StringFunctions.indices(of: wanted, in: text, meter)
        },
        Native("_indices", 1) { (input, arguments, meter) throws(JQError) in
            switch (input.rank, arguments[0].rank) {
            case (5, 5):
                input = try StringFunctions.indices(
                    of: try arguments[0].array(meter) ?? [],
                    in: try input.array(meter) ?? [],
                    meter
                )
            case (5, _):
                input = try StringFunctions.indices(of: [arguments[0]], in: try input.array(meter) ?? [], meter)
            case (4, 4):
                input = try StringFunctions.indices(of: arguments[0].asText ?? "", in: input.asText ?? "", meter)
            default: input = try Paths.index(input, arguments[0], meter)
            }
        },
    ]

    private static func joined(_ value: Value, _ separator: Value, _ meter: Meter) throws(JQError) -> Value {
        guard let parts = try value.members(meter) else { throw Failure.notIterable(value) }
        try meter.step(parts.count)
        if parts.isEmpty { return .text("") }
        let between = Array((separator.asText ?? "").utf8)
        // Bytes are gathered: a string would examine the form of each piece before taking it.
        var bytes: [UInt8] = []
        func joined() -> Value { .text(String(decoding: bytes, as: UTF8.self)) }
        for (at, part) in parts.enumerated() {
            if at > 0 {
                guard separator.isNull || separator.rank == 4 else { throw Failure.pair(joined(), separator, "added") }
                bytes.append(contentsOf: between)
            }
            switch part {
            case .null: break
            case .string(let string):
                var text = string.text
                text.withUTF8 { bytes.append(contentsOf: $0) }
            case .bool, .integer, .double, .literal: bytes.append(contentsOf: try part.text(meter).utf8)
            default: throw Failure.pair(joined(), part, "added")
            }
            if bytes.count > meter.limits.bytes { throw meter.bytesError }
        }
        try meter.copy(bytes: bytes.count)
        return joined()
    }
}
