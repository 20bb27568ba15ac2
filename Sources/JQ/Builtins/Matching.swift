import CPCRE2
import LosslessJSON

/// `test`, `match` and what builds on them.
enum Matching {
    static func matches(
        _ input: Value,
        _ pattern: Value,
        _ flags: Value,
        isTest: Bool,
        _ meter: Meter
    ) throws(JQError) -> Value {
        guard let text = input.asText else { throw Failure.single(input, "cannot be matched, as it is not a string") }
        guard let pattern = pattern.asText else {
            throw Failure.single(pattern, "is not a string")
        }
        guard flags.isNull || flags.asText != nil else { throw Failure.single(flags, "is not a string") }
        let (options, isGlobal, skipsEmpty) = try read(flags.asText ?? "")
        let expression = try meter.expression(pattern, options)
        try meter.copy(bytes: text.utf8.count)
        let bytes = Array(text.utf8)
        var failure: JQError?
        let result = bytes.withUnsafeBufferPointer { bytes in
            do throws(JQError) {
                return try all(expression, bytes, isTest, isGlobal, skipsEmpty, meter)
            } catch {
                failure = error
                return Value.null
            }
        }
        if let failure { throw failure }
        return result
    }

    private static func read(_ flags: String) throws(JQError) -> (UInt32, Bool, Bool) {
        var options: UInt32 = 0
        var (isGlobal, skipsEmpty) = (false, false)
        for flag in flags.unicodeScalars {
            switch flag {
            case "g": isGlobal = true
            case "n": skipsEmpty = true
            case "i": options |= UInt32(PCRE2_CASELESS)
            case "x": options |= UInt32(PCRE2_EXTENDED)
            case "s": options |= UInt32(PCRE2_DOTALL)
            // Longest match, a mode of Oniguruma: PCRE2 lacks it and gives the leftmost one.
            case "l": break
            case "p": options |= UInt32(PCRE2_DOTALL)
            default:
                throw JQError(
                    "\(flags) is not a valid modifier string",
                    withoutValues: "not a valid modifier string"
                )
            }
        }
        return (options, isGlobal, skipsEmpty)
    }

    private static func all(
        _ expression: Expression,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ isTest: Bool,
        _ isGlobal: Bool,
        _ skipsEmpty: Bool,
        _ meter: Meter
    ) throws(JQError) -> Value {
        var found: [Value] = []
        var places = CodePoints(bytes)
        var start = 0
        var notEmpty = false
        while start <= bytes.count {
            try meter.step()
            guard let groups = try expression.match(bytes, from: start, notEmpty: notEmpty, meter),
                let whole = groups[0]
            else {
                // After an empty match the next begins one code point further on, unless one begins here.
                guard notEmpty, isGlobal, start < bytes.count else { break }
                notEmpty = false
                start += 1
                while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
                continue
            }
            if !(whole.isEmpty && skipsEmpty) {
                if isTest { return .bool(true) }
                try meter.take(300 + groups.count * 300)
                for case let range? in groups { try meter.copy(bytes: 2 * range.count) }
                found.append(describe(expression, groups, bytes, &places))
            }
            if !isGlobal && !(whole.isEmpty && skipsEmpty) { break }
            start = whole.upperBound
            notEmpty = whole.isEmpty
        }
        return isTest ? .bool(false) : .array(ValueArray(found))
    }

    private static func describe(
        _ expression: Expression,
        _ groups: [Range<Int>?],
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ places: inout CodePoints
    ) -> Value {
        func fields(_ range: Range<Int>?, _ places: inout CodePoints) -> [ValueObject.Member] {
            guard let range else {
                return [.init("offset", .integer(-1)), .init("string", .null), .init("length", .integer(0))]
            }
            let text = String(decoding: bytes[range], as: UTF8.self)
            return [
                .init("offset", .count(places.count(before: range.lowerBound))),
                .init("length", .count(text.unicodeScalars.count)), .init("string", .text(text)),
            ]
        }
        var members = fields(groups[0], &places)
        let captures = groups.indices.dropFirst().map { group in
            let name = expression.names[group].map { Value.text($0) } ?? .null
            return Value.object(ValueObject(fields(groups[group], &places) + [.init("name", name)]))
        }
        members.append(.init("captures", .array(ValueArray(captures))))
        return .object(ValueObject(members))
    }

    /// The input's parts before, between and after its matches.
    static func between(_ input: Value, _ matches: Value, _ meter: Meter) throws(JQError) -> Value {
        let source = Array((input.asText ?? "").utf8)
        try meter.copy(bytes: 2 * source.count)
        var parts: [Value] = []
        var previous = 0
        for place in try places(of: matches, in: source, meter) {
            try meter.copy(elements: 4)
            parts.append(
                .text(String(decoding: source[min(previous, place.lowerBound)..<place.lowerBound], as: UTF8.self))
            )
            previous = place.upperBound
        }
        parts.append(.text(String(decoding: source[previous...], as: UTF8.self)))
        return .array(ValueArray(parts))
    }

    /// The input with each match replaced by its texts: one result per text.
    static func assembled(_ input: Value, _ matches: Value, _ texts: Value, _ meter: Meter) throws(JQError) -> Value {
        let source = Array((input.asText ?? "").utf8)
        try meter.copy(bytes: 2 * source.count)
        var results: [[UInt8]] = []
        var previous = 0
        for (place, inserts) in zip(try places(of: matches, in: source, meter), try texts.array(meter) ?? []) {
            for (at, insert) in (try inserts.array(meter) ?? []).enumerated() {
                guard let text = insert.asText else { throw Failure.pair(.text(""), insert, "added") }
                if at == results.count { results.append([]) }
                let gap = source[min(previous, place.lowerBound)..<place.lowerBound]
                try meter.copy(bytes: 16 + gap.count + text.utf8.count)
                results[at] += gap
                results[at] += text.utf8
            }
            previous = place.upperBound
        }
        if results.isEmpty { return .array(ValueArray([input])) }
        var written: [Value] = []
        for result in results {
            try meter.copy(bytes: result.count + source.count - previous)
            written.append(.text(String(decoding: result + source[previous...], as: UTF8.self)))
        }
        return .array(ValueArray(written))
    }

    /// The positions of matches, in bytes.
    private static func places(of matches: Value, in source: [UInt8], _ meter: Meter) throws(JQError) -> [Range<Int>] {
        var offsets = CodePointOffsets()
        var places: [Range<Int>] = []
        for match in try matches.array(meter) ?? [] {
            try meter.step()
            guard let match = try match.object(meter), let offset = match["offset"]?.asInteger,
                let length = match["length"]?.asInteger
            else { continue }
            let start = offsets.offset(of: Int(offset), in: source)
            places.append(start..<max(start, offsets.offset(of: Int(offset) + Int(length), in: source)))
        }
        return places
    }
}

/// Converts ascending code point offsets into byte offsets.
private struct CodePointOffsets {
    private var at = 0
    private var passed = 0

    mutating func offset(of codePoint: Int, in bytes: [UInt8]) -> Int {
        while passed < codePoint, at < bytes.count {
            repeat { at += 1 } while at < bytes.count && bytes[at] & 0xC0 == 0x80
            passed += 1
        }
        return at
    }
}

/// Counts code points up to byte offsets that are usually close together.
private struct CodePoints {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0
    private var passed = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func count(before offset: Int) -> Int {
        while at > offset {
            at -= 1
            if bytes[at] & 0xC0 != 0x80 { passed -= 1 }
        }
        while at < offset {
            if bytes[at] & 0xC0 != 0x80 { passed += 1 }
            at += 1
        }
        return passed
    }
}
