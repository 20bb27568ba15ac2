import LosslessJSON

extension Natives {
    private static func text(_ value: Value, _ problem: String) throws(JQError) -> String {
        guard let text = value.asText else { throw Failure.single(value, problem) }
        return text
    }

    static let strings: [Native] = [
        Native("ascii_downcase") { (input, _, _) throws(JQError) in
            guard let text = input.asText else { throw JQError("ascii_downcase input must be a string") }
            input = .text(Texts.mapASCII(text) { $0 &- 0x41 < 26 ? $0 + 0x20 : $0 })
        },
        Native("ascii_upcase") { (input, _, _) throws(JQError) in
            guard let text = input.asText else { throw JQError("ascii_upcase input must be a string") }
            input = .text(Texts.mapASCII(text) { $0 &- 0x61 < 26 ? $0 - 0x20 : $0 })
        },
        Native("explode") { (input, _, meter) throws(JQError) in
            let text = try text(input, "cannot be exploded")
            try meter.take(text.utf8.count * MemoryLayout<Value>.stride)
            input = .array(ValueArray(text.unicodeScalars.map { .integer(Int64($0.value)) }))
        },
        Native("startswith", 1) { (input, arguments, _) throws(JQError) in
            guard let text = input.asText, let part = arguments[0].asText else {
                throw JQError("startswith() requires string inputs")
            }
            input = .bool(text.utf8.starts(with: part.utf8))
        },
        Native("endswith", 1) { (input, arguments, _) throws(JQError) in
            guard let text = input.asText, let part = arguments[0].asText else {
                throw JQError("endswith() requires string inputs")
            }
            input = .bool(text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8))
        },
        Native("ltrimstr", 1) { (input, arguments, _) throws(JQError) in
            guard let text = input.asText, let part = arguments[0].asText, text.utf8.starts(with: part.utf8) else {
                return
            }
            input = .text(String(decoding: text.utf8.dropFirst(part.utf8.count), as: UTF8.self))
        },
        Native("rtrimstr", 1) { (input, arguments, _) throws(JQError) in
            guard let text = input.asText, let part = arguments[0].asText, !part.isEmpty,
                text.utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
            else { return }
            input = .text(String(decoding: text.utf8.dropLast(part.utf8.count), as: UTF8.self))
        },
        Native("trim") { (input, _, _) throws(JQError) in
            input = .text(Texts.trimmed(try text(input, "cannot be trimmed"), start: true, end: true))
        },
        Native("ltrim") { (input, _, _) throws(JQError) in
            input = .text(Texts.trimmed(try text(input, "cannot be trimmed"), start: true, end: false))
        },
        Native("rtrim") { (input, _, _) throws(JQError) in
            input = .text(Texts.trimmed(try text(input, "cannot be trimmed"), start: false, end: true))
        },
        Native("split", 1) { (input, arguments, meter) throws(JQError) in
            guard let text = input.asText, let separator = arguments[0].asText else {
                throw JQError("split input and separator must be strings")
            }
            input = .array(ValueArray(try Texts.split(text, separator, meter)))
        },
        Native("join", 1) { (input, arguments, meter) throws(JQError) in input = try joined(input, arguments[0], meter)
        },
        Native("_indices", 1) { (input, arguments, meter) throws(JQError) in
            switch (input.rank, arguments[0].rank) {
            case (0, _): input = .null
            case (5, 5): input = try Texts.indices(of: arguments[0].asArray ?? [], in: input.asArray ?? [], meter)
            case (5, _): input = try Texts.indices(of: [arguments[0]], in: input.asArray ?? [], meter)
            case (4, 4): input = try Texts.indices(of: arguments[0].asText ?? "", in: input.asText ?? "", meter)
            default: input = try Paths.index(input, arguments[0], meter)
            }
        },
    ]

    private static func joined(_ value: Value, _ separator: Value, _ meter: Meter) throws(JQError) -> Value {
        guard value.rank >= 5 else { throw Failure.notIterable(value) }
        let parts = value.asArray ?? value.asObject?.members.map(\.value) ?? []
        if parts.isEmpty { return .text("") }
        let between = Array((separator.asText ?? "").utf8)
        // Bytes are gathered: a string would look at each piece's form before it takes it.
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
        try meter.take(bytes.count)
        return joined()
    }
}
