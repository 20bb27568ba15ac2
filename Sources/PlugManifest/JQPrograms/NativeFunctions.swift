import Cryptography
import JQ
import LosslessJSON
import PlugCore

/// Functions for manifests in addition to jq's own, in templates and in programs over records alike.
enum NativeFunctions {
    static let all: [JQFunction] = ours + hashes

    private static let ours: [JQFunction] = [
        JQFunction("time", arity: 1) { input, arguments throws(JQError) in try time(input, arguments[0]) },
        JQFunction("minus", arity: 1) { input, arguments throws(JQError) in try shifted(input, arguments[0], by: -1) },
        JQFunction("plus", arity: 1) { input, arguments throws(JQError) in try shifted(input, arguments[0], by: 1) },
        JQFunction("base64", arity: 0) { input, _ throws(JQError) in .text(Base64.encoded(bytes(input))) },
        JQFunction("base64d", arity: 0) { input, _ throws(JQError) in try decoded(input) },
        JQFunction("latin1_to_utf8", arity: 0) { input, _ in Mojibake.repaired(input) },
    ]

    /// `md5`, `sha1`, `sha256`, `sha384`, `sha512`, and `hmac(hash; key)`: digests in lower-case hexadecimal.
    private static let hashes: [JQFunction] =
        HashFunction.allCases.map { hash in
            JQFunction(hash.rawValue, arity: 0) { input, _ throws(JQError) in
                .text(Hexadecimal.encoded(hash.hash(bytes(input))))
            }
        } + [
            JQFunction("hmac", arity: 2) { input, arguments throws(JQError) in
                guard let hash = arguments[0].stringText.flatMap({ HashFunction(rawValue: $0) }) else {
                    let names = MessageText.list(HashFunction.allCases.map(\.rawValue))
                    throw JQError("hmac: \(arguments[0].compactText) is not a hash; the hashes are \(names)")
                }
                return .text(Hexadecimal.encoded(hash.code(for: bytes(input), key: SecretBytes(bytes(arguments[1])))))
            }
        ]

    /// A time as RFC 3339, a date, a number of seconds, milliseconds or microseconds since 1970, or by a pattern.
    ///
    /// - Parameter input: A text in any form used by APIs, or a number of seconds since 1970.
    private static func time(_ input: JSONValue, _ format: JSONValue) throws(JQError) -> JSONValue {
        let moment = try timestamp(input)
        guard let written = format.stringText.flatMap({ SinceFormat(time: $0) }) else {
            let names = MessageText.list(SinceFormat.timeNames)
            throw JQError(
                "time: \(format.compactText) is not a format; the formats are \(names), and patterns such as %Y-%m-%d %H:%M"
            )
        }
        switch written {
        case .epochMilliseconds, .epochMicroseconds: _ = try microseconds(moment)
        default: break
        }
        return written.value(of: moment)
    }

    /// A time moved by a duration, in its original form: a text stays RFC 3339, a day a day, a number a number.
    private static func shifted(_ input: JSONValue, _ by: JSONValue, by sign: Int64) throws(JQError) -> JSONValue {
        guard let text = by.stringText, let duration = HumanDuration.parse(text) else {
            throw JQError("\(by.compactText) is not a duration such as \"7d\"")
        }
        let moment = try timestamp(input)
        let (sum, overflows) = try microseconds(moment).addingReportingOverflow(
            duration.wholeMicroseconds * sign
        )
        if overflows { throw JQError("the time is out of range") }
        let moved = Timestamp(microseconds: sum)
        if let number = input.number {
            let digits = moved.fraction.isEmpty ? "" : ".\(moved.fraction)"
            if moved.seconds >= 0, let exact = JSONNumber("\(moved.seconds)\(digits)") { return .number(exact) }
            return .number(JSONNumber(number.double + Double(sign) * (duration / .seconds(1))) ?? number)
        }
        return .text(input.stringText?.utf8.count == 10 ? moved.date : moved.rfc3339)
    }

    /// Microseconds since 1970; times that do not fit into 64 bits cannot be calculated with.
    private static func microseconds(_ moment: Timestamp) throws(JQError) -> Int64 {
        let microseconds = moment.microseconds
        if microseconds == .min || microseconds == .max { throw JQError("the time is out of range") }
        return microseconds
    }

    private static func timestamp(_ input: JSONValue) throws(JQError) -> Timestamp {
        if let text = input.stringText, let moment = Timestamp(text) { return moment }
        if let number = input.number, let moment = Timestamp(epoch: number.text) { return moment }
        throw JQError("this \(input.typeName) is not a time")
    }

    private static func bytes(_ input: JSONValue) -> [UInt8] { Array((input.stringText ?? input.compactText).utf8) }

    private static func decoded(_ input: JSONValue) throws(JQError) -> JSONValue {
        guard let text = input.stringText, let bytes = Base64.decoded(text) else {
            throw JQError("this \(input.typeName) is not base64")
        }
        return .text(String(decoding: bytes, as: UTF8.self))
    }
}
