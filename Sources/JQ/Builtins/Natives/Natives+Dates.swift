import Foundation
import LosslessJSON

/// Dates that need neither clock nor time zone: everything is UTC.
extension Natives {
    static let dates: [Native] = [
        Native("gmtime") { (input, _, _) throws(JQError) in
            guard let seconds = input.asDouble else { throw JQError("gmtime() requires numeric inputs") }
            input = try brokenDown(seconds)
        },
        Native("mktime") { (input, _, meter) throws(JQError) in
            input = .integer(Int64(try seconds(input, "mktime", meter).rounded(.down)))
        },
        Native("strftime", 1) { (input, arguments, meter) throws(JQError) in
            if let seconds = input.asDouble { input = try brokenDown(seconds) }
            guard input.rank == 5 else { throw JQError("strftime/1 requires parsed datetime inputs") }
            guard let format = arguments[0].asText else { throw JQError("strftime/1 requires a string format") }
            try meter.step(64 + format.utf8.count)
            var time = try broken(input, "strftime/1", meter)
            // The 61st minute is the first of the next hour; `timegm` normalises it, and -1 may be a time as well as a failure.
            _ = timegm(&time)
            var buffer = [CChar](repeating: 0, count: 4096)
            // Writes at most the buffer, with a final zero; 0 for an empty or too long result.
            let count = unsafe_strftime(&buffer, format, &time)
            input = .text(String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self))
        },
        Native("strptime", 1) { (input, arguments, meter) throws(JQError) in
            guard let text = input.asText else { throw JQError("strptime/1 requires string inputs and arguments") }
            guard let format = arguments[0].asText else {
                throw JQError("strptime/1 requires string inputs and arguments")
            }
            try meter.copy(bytes: text.utf8.count)
            try meter.step(16 + format.utf8.count)
            var reader = DateReader(text)
            guard reader.read(format), reader.isAtEnd else {
                throw JQError(
                    "date \"\(Failure.excerpt(text))\" does not match format \"\(Failure.excerpt(format))\"",
                    withoutValues: "a date does not match its format"
                )
            }
            var time = reader.time
            time.tm_gmtoff = 0
            var copy = time
            let seconds = timegm(&copy)
            input = try brokenDown(Double(seconds))
        },
    ]

    private static func unsafe_strftime(_ buffer: inout [CChar], _ format: String, _ time: inout tm) -> Int {
        strftime(&buffer, buffer.count, format, &time)
    }

    private static func brokenDown(_ seconds: Double) throws(JQError) -> Value {
        // As in jq: the clock is truncated, the fraction is counted from the floor.
        let whole = seconds.rounded(.towardZero)
        var time = tm()
        // Fills `time`; NULL for years that do not fit an `Int32`. Beyond 1e17 seconds there are only such years.
        guard whole.magnitude < 1e17, case var clock = time_t(whole), gmtime_r(&clock, &time) != nil else {
            throw JQError("error converting number of seconds since epoch to datetime")
        }
        let second = Double(time.tm_sec) + (seconds - seconds.rounded(.down))
        return .array(
            ValueArray([
                .count(Int(time.tm_year) + 1900), .count(Int(time.tm_mon)), .count(Int(time.tm_mday)),
                .count(Int(time.tm_hour)), .count(Int(time.tm_min)),
                second == second.rounded() ? .integer(Int64(second)) : .double(second), .count(Int(time.tm_wday)),
                .count(Int(time.tm_yday)),
            ])
        )
    }

    private static func broken(_ value: Value, _ name: String, _ meter: Meter) throws(JQError) -> tm {
        guard let parts = try value.array(meter) else { throw JQError("\(name) requires array of 6 numbers") }
        var numbers: [Int32] = []
        for part in parts.prefix(8) {
            guard let number = part.asDouble, !number.isNaN else {
                throw JQError("\(name) requires parsed datetime inputs")
            }
            numbers.append(Int32(max(-1e9, min(1e9, number.rounded(.towardZero)))))
        }
        // Missing parts are zero.
        while numbers.count < 6 { numbers.append(numbers.isEmpty ? 1900 : 0) }
        var time = tm()
        time.tm_year = numbers[0] - 1900
        (time.tm_mon, time.tm_mday, time.tm_hour) = (numbers[1], numbers[2], numbers[3])
        (time.tm_min, time.tm_sec) = (numbers[4], numbers[5])
        if numbers.count > 6 { time.tm_wday = numbers[6] }
        if numbers.count > 7 { time.tm_yday = numbers[7] }
        return time
    }

    private static func seconds(_ value: Value, _ name: String, _ meter: Meter) throws(JQError) -> Double {
        guard value.rank == 5 else { throw JQError("\(name) requires array inputs") }
        var time = try broken(value, name, meter)
        return Double(timegm(&time))
    }
}
