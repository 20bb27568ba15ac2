import CPCRE2
import LosslessJSON

/// A compiled regular expression.
final class Expression {
    private let code: OpaquePointer
    let groupCount: Int
    /// Names by group number.
    let names: [Int: String]

    init(_ pattern: String, options: UInt32) throws(JQError) {
        var number: Int32 = 0
        var offset = 0
        var pattern = pattern
        // Returned code is ours until `pcre2_code_free`; on failure NULL and the error's number and place.
        let code = pattern.withUTF8 { bytes in
            pcre2_compile_8(bytes.baseAddress, bytes.count, options | UInt32(PCRE2_UTF), &number, &offset, nil)
        }
        guard let code else {
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = pcre2_get_error_message_8(number, &buffer, buffer.count)
            let reason = count > 0 ? String(decoding: buffer.prefix(Int(count)), as: UTF8.self) : "error \(number)"
            throw JQError(
                "\(pattern) (at offset \(offset)) is not a valid regex: \(reason)",
                withoutValues: "not a valid regex: \(reason)"
            )
        }
        self.code = code
        var groups: UInt32 = 0
        var nameCount: UInt32 = 0
        var entrySize: UInt32 = 0
        var table: UnsafePointer<UInt8>?
        // These only read the code; the table belongs to it. They fail only for wrong arguments.
        _ = pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &groups)
        _ = pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &nameCount)
        _ = pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &entrySize)
        _ = pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
        var names: [Int: String] = [:]
        if let table {
            for entry in 0..<Int(nameCount) {
                // Two bytes of number, then the name and a zero.
                let start = table + entry * Int(entrySize)
                names[Int(start[0]) << 8 | Int(start[1])] = String(cString: start + 2)
            }
        }
        groupCount = Int(groups)
        self.names = names
    }

    deinit { pcre2_code_free_8(code) }

    /// The group's byte ranges of the first match from an offset on, `nil` where there is none.
    func match(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, notEmpty: Bool) throws(JQError) -> [Range<Int>?]? {
        // Both are ours until freed; NULL only without memory.
        guard let data = pcre2_match_data_create_from_pattern_8(code, nil) else { throw JQError("no memory to match") }
        defer { pcre2_match_data_free_8(data) }
        guard let context = pcre2_match_context_create_8(nil) else { throw JQError("no memory to match") }
        defer { pcre2_match_context_free_8(context) }
        pcre2_set_match_limit_8(context, 1_000_000)
        pcre2_set_depth_limit_8(context, 100_000)
        pcre2_set_heap_limit_8(context, 20_000)
        // The text is a Swift string's: its UTF-8 needs no check.
        let options = UInt32(PCRE2_NO_UTF_CHECK) | (notEmpty ? UInt32(PCRE2_NOTEMPTY_ATSTART) : 0)
        let base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)
        let count = pcre2_match_8(code, base, bytes.count, start, options, data, context)
        if count == PCRE2_ERROR_NOMATCH { return nil }
        guard count > 0 else { throw JQError("the regular expression took too long (PCRE2 error \(count))") }
        // The vector belongs to `data`.
        guard let vector = pcre2_get_ovector_pointer_8(data) else { return nil }
        return (0...groupCount).map { group in
            let (from, to) = (vector[2 * group], vector[2 * group + 1])
            // PCRE2_UNSET, all bits one, is -1 as an Int: a group that took no part.
            return group < Int(count) && from >= 0 && from <= to ? from..<to : nil
        }
    }
}

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
            throw Failure.single(pattern, "cannot be matched, as it is not a string")
        }
        guard flags.isNull || flags.asText != nil else { throw Failure.single(flags, "is not a string") }
        let (options, isGlobal, skipsEmpty) = try read(flags.asText ?? "")
        let expression = try meter.expression(pattern, options)
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
            // Longest match, a mode of Oniguruma's: PCRE2 has none, the leftmost is given.
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
            guard let groups = try expression.match(bytes, from: start, notEmpty: notEmpty), let whole = groups[0]
            else {
                // After an empty match the next begins a code point further on, unless one begins here.
                guard notEmpty, isGlobal, start < bytes.count else { break }
                notEmpty = false
                start += 1
                while start < bytes.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
                continue
            }
            if !(whole.isEmpty && skipsEmpty) {
                if isTest { return .bool(true) }
                try meter.take(300 + groups.count * 300)
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

    /// The input with each match replaced by its text.
    static func assembled(_ input: Value, _ edits: Value, _ texts: Value, _ meter: Meter) throws(JQError) -> Value {
        let scalars = Array((input.asText ?? "").unicodeScalars)
        var result = String.UnicodeScalarView()
        var at = 0
        for (edit, text) in zip(edits.asArray ?? [], texts.asArray ?? []) {
            guard let match = edit.asObject, let offset = match["offset"]?.asInteger,
                let length = match["length"]?.asInteger
            else { continue }
            guard let text = text.asText else { throw Failure.pair(.text(""), text, "added") }
            if Int(offset) > at { result.append(contentsOf: scalars[at..<Int(offset)]) }
            try meter.take(text.utf8.count)
            result.append(contentsOf: text.unicodeScalars)
            at = Int(offset + length)
        }
        result.append(contentsOf: scalars[min(at, scalars.count)...])
        return .text(String(result))
    }
}

/// Counts code points up to byte offsets that mostly grow.
private struct CodePoints {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var at = 0
    private var passed = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func count(before offset: Int) -> Int {
        if offset < at { (at, passed) = (0, 0) }
        while at < offset {
            if bytes[at] & 0xC0 != 0x80 { passed += 1 }
            at += 1
        }
        return passed
    }
}
