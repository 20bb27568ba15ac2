import CPCRE2
import LosslessJSON

/// A compiled regular expression, and room for one match at a time.
///
/// PCRE2's own limits start again at each place where a match may begin, and never count what a repeated class runs over. So the
/// code calls back before each item of the pattern (`PCRE2_AUTO_CALLOUT`, a third of the time of a match), and each such call,
/// and the bytes passed since the last, count as steps of the evaluation.
final class Expression {
    private let code: OpaquePointer
    private let data: OpaquePointer
    private let context: OpaquePointer
    let groupCount: Int
    /// Names by group number.
    let names: [Int: String]

    init(_ pattern: String, options: UInt32) throws(JQError) {
        var number: Int32 = 0
        var offset = 0
        var pattern = pattern
        let options = options | UInt32(PCRE2_UTF) | UInt32(PCRE2_AUTO_CALLOUT)
        // Returned code is ours until `pcre2_code_free`; on failure it is NULL, with the error's number and place.
        let code = pattern.withUTF8 { bytes in
            pcre2_compile_8(bytes.baseAddress, bytes.count, options, &number, &offset, nil)
        }
        guard let code else {
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = pcre2_get_error_message_8(number, &buffer, buffer.count)
            let reason = count > 0 ? String(decoding: buffer.prefix(Int(count)), as: UTF8.self) : "error \(number)"
            throw JQError(
                "\(Failure.excerpt(pattern)) (at offset \(offset)) is not a valid regex: \(reason)",
                withoutValues: "not a valid regex: \(reason)"
            )
        }
        // Both are ours until freed; NULL only when out of memory.
        guard let data = pcre2_match_data_create_from_pattern_8(code, nil) else {
            pcre2_code_free_8(code)
            throw JQError("no memory to match")
        }
        guard let context = pcre2_match_context_create_8(nil) else {
            pcre2_match_data_free_8(data)
            pcre2_code_free_8(code)
            throw JQError("no memory to match")
        }
        // Steps end a match that tries too much; these limits bound what it keeps, in backtracking points and in KiB.
        pcre2_set_match_limit_8(context, .max)
        pcre2_set_depth_limit_8(context, 100_000)
        pcre2_set_heap_limit_8(context, 20_000)
        self.code = code
        self.data = data
        self.context = context
        var groups: UInt32 = 0
        // Only reads the code; it fails only for wrong arguments.
        _ = pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &groups)
        groupCount = Int(groups)
        names = Self.names(of: code)
    }

    deinit {
        pcre2_match_context_free_8(context)
        pcre2_match_data_free_8(data)
        pcre2_code_free_8(code)
    }

    private static func names(of code: OpaquePointer) -> [Int: String] {
        var count: UInt32 = 0
        var entrySize: UInt32 = 0
        var table: UnsafePointer<UInt8>?
        // These only read the code; the table belongs to it. They fail only for wrong arguments.
        _ = pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMECOUNT), &count)
        _ = pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMEENTRYSIZE), &entrySize)
        _ = pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_NAMETABLE), &table)
        var names: [Int: String] = [:]
        guard let table else { return names }
        for entry in 0..<Int(count) {
            // Two bytes of number, then the name and a zero.
            let start = table + entry * Int(entrySize)
            names[Int(start[0]) << 8 | Int(start[1])] = String(cString: start + 2)
        }
        return names
    }

    /// The byte ranges of the groups of the first match from an offset on, `nil` if there is no match.
    func match(
        _ bytes: UnsafeBufferPointer<UInt8>,
        from start: Int,
        notEmpty: Bool,
        _ meter: Meter
    ) throws(JQError) -> [Range<Int>?]? {
        // The text comes from a Swift string: its UTF-8 needs no check.
        let options = UInt32(PCRE2_NO_UTF_CHECK) | (notEmpty ? UInt32(PCRE2_NOTEMPTY_ATSTART) : 0)
        let base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1)
        var gauge = Gauge(meter, at: start)
        let count = withUnsafeMutablePointer(to: &gauge) { gauge in
            // The gauge lives as long as the call, which is the only one that uses it. Setting it cannot fail.
            _ = pcre2_set_callout_8(context, Gauge.callout, gauge)
            return pcre2_match_8(code, base, bytes.count, start, options, data, context)
        }
        if let problem = gauge.problem { throw problem }
        // What was examined without a call: the places before the match, or all of them.
        let matched = count > 0 ? pcre2_get_ovector_pointer_8(data) : nil
        try meter.step(gauge.spent)
        try meter.work(max(0, (matched?[1] ?? bytes.count) - start))
        if count == PCRE2_ERROR_NOMATCH { return nil }
        guard count > 0, let vector = matched else { throw Self.problem(count) }
        try meter.step(groupCount / 4)
        return (0...groupCount).map { group in
            let (from, to) = (vector[2 * group], vector[2 * group + 1])
            // PCRE2_UNSET, all bits one, is -1 as an Int: a group that took no part.
            return group < Int(count) && from >= 0 && from <= to ? from..<to : nil
        }
    }

    private static func problem(_ number: Int32) -> JQError {
        switch number {
        case PCRE2_ERROR_HEAPLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_NOMEMORY:
            JQError(
                .bytes,
                message: "a regular expression kept more than 100000 places to backtrack to, the limit for one match: "
                    + "simplify what it repeats, or match shorter texts"
            )
        default: JQError("the regular expression cannot be matched (PCRE2 error \(number))")
        }
    }
}

/// Counts the work of a match, and ends it when it is too much.
private struct Gauge {
    /// Steps between two checks of the budget.
    private static let slice = 4096
    /// Steps per call. It is quicker than any other step, but this sooner ends what programs repeat over long texts by mistake.
    private static let callSteps = 6

    private let meter: Meter
    private var left = Gauge.slice
    private var position: Int
    private(set) var problem: JQError?

    init(_ meter: Meter, at position: Int) {
        self.meter = meter
        self.position = position
    }

    /// Steps that have not been paid for yet.
    var spent: Int { Self.slice - left }

    /// Called before each item of the pattern.
    ///
    /// - Returns: Whether the match continues.
    @inline(__always)
    private mutating func pass(_ current: Int) -> Bool {
        left &-= Self.callSteps &+ max(0, current &- position) / Meter.stepBytes
        position = current
        return left > 0 || refill()
    }

    private mutating func refill() -> Bool {
        do throws(JQError) {
            try meter.look(after: spent)
            left = Self.slice
            return true
        } catch {
            problem = error
            return false
        }
    }

    /// The block is PCRE2's and valid during the call; the data is the gauge. Any number above zero fails only at this place;
    /// `PCRE2_ERROR_CALLOUT` ends the match.
    static let callout:
        @convention(c) (UnsafeMutablePointer<pcre2_callout_block_8>?, UnsafeMutableRawPointer?) -> Int32 = {
            guard let block = $0, let gauge = $1?.assumingMemoryBound(to: Gauge.self) else {
                return PCRE2_ERROR_CALLOUT
            }
            return gauge.pointee.pass(block.pointee.current_position) ? 0 : PCRE2_ERROR_CALLOUT
        }
}
