import Foundation
import LosslessJSON

/// `@text` and its like.
enum Format: String, CaseIterable, Sendable {
    case text = "@text"
    case json = "@json"
    case html = "@html"
    case uri = "@uri"
    case csv = "@csv"
    case tsv = "@tsv"
    case sh = "@sh"
    case base64 = "@base64"
    case base64d = "@base64d"
    case base32 = "@base32"
    case base32d = "@base32d"

    func text(of value: Value, _ meter: Meter) throws(JQError) -> String {
        switch self {
        case .text: return try Self.plain(value, meter)
        case .json: return try value.text(meter)
        case .csv, .tsv: return try row(value, meter)
        case .sh:
            var parts: [String] = []
            for part in value.asArray ?? [value] {
                if part.rank >= 5 { throw Failure.single(part, "can not be escaped for shell") }
                let text = try Self.plain(part, meter)
                parts.append(part.rank == 4 ? "'" + text.replacing("'", with: "'\\''") + "'" : text)
            }
            return parts.joined(separator: " ")
        case .html:
            let text = try Self.plain(value, meter)
            try meter.take(text.utf8.count * 5)
            var result = ""
            for scalar in text.unicodeScalars {
                switch scalar {
                case "<": result += "&lt;"
                case ">": result += "&gt;"
                case "&": result += "&amp;"
                case "'": result += "&#39;"
                case "\"": result += "&quot;"
                default: result.unicodeScalars.append(scalar)
                }
            }
            return result
        case .uri:
            let text = try Self.plain(value, meter)
            try meter.take(text.utf8.count * 3)
            var bytes: [UInt8] = []
            for byte in text.utf8 {
                let isPlain = byte.isLetterOrDigit || "-_.~".utf8.contains(byte)
                if isPlain { bytes.append(byte) } else { bytes += Array(Self.hexadecimal(byte).utf8) }
            }
            return String(decoding: bytes, as: UTF8.self)
        case .base64:
            let text = try Self.plain(value, meter)
            try meter.take(text.utf8.count * 2)
            return Data(text.utf8).base64EncodedString()
        case .base64d: return try Base.decoded64(value, Self.plain(value, meter))
        case .base32: return Base.encoded32(try Self.plain(value, meter))
        case .base32d: return try Base.decoded32(value, Self.plain(value, meter))
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return "%" + (byte < 16 ? "0" : "") + digits
    }

    /// `tostring`
    static func plain(_ value: Value, _ meter: Meter) throws(JQError) -> String {
        if case .string(let string) = value { return string.text }
        return try value.text(meter)
    }

    private func row(_ value: Value, _ meter: Meter) throws(JQError) -> String {
        guard let cells = value.asArray else {
            throw Failure.single(value, "cannot be \(self == .csv ? "csv" : "tsv")-formatted, only array")
        }
        var parts: [String] = []
        for cell in cells {
            switch cell.rank {
            case 0: parts.append("")
            case 1, 2, 3: parts.append(try cell.text(meter))
            case 4:
                let text = cell.asText ?? ""
                if self == .csv {
                    parts.append("\"" + text.replacing("\"", with: "\"\"") + "\"")
                } else {
                    var escaped = ""
                    for scalar in text.unicodeScalars {
                        switch scalar {
                        case "\\": escaped += "\\\\"
                        case "\t": escaped += "\\t"
                        case "\r": escaped += "\\r"
                        case "\n": escaped += "\\n"
                        default: escaped.unicodeScalars.append(scalar)
                        }
                    }
                    parts.append(escaped)
                }
            default: throw Failure.single(cell, "is not valid in a csv row")
            }
        }
        return parts.joined(separator: self == .csv ? "," : "\t")
    }
}

extension UInt8 {
    var isLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}

/// Base 64 and base 32.
enum Base {
    static func decoded64(_ value: Value, _ text: String) throws(JQError) -> String {
        // What is missing at the end does not matter, what is no digit does.
        var bits: UInt32 = 0
        var count = 0
        var bytes: [UInt8] = []
        var digits = 0
        for byte in text.utf8 {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = UInt32(byte - UInt8(ascii: "A"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = UInt32(byte - UInt8(ascii: "a")) + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte - UInt8(ascii: "0")) + 52
            case UInt8(ascii: "+"): digit = 62
            case UInt8(ascii: "/"): digit = 63
            case UInt8(ascii: "="): continue
            default: throw Failure.single(value, "is not valid base64 data")
            }
            digits += 1
            bits = bits << 6 | digit
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        if digits == 1 || !text.isEmpty && digits == 0 {
            throw Failure.single(value, digits == 1 ? "trailing base64 data" : "is not valid base64 data")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    static func encoded32(_ text: String) -> String {
        var result: [UInt8] = []
        var bits: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            bits = (bits << 8 | UInt64(byte)) & 0xFFFF
            count += 8
            while count >= 5 {
                count -= 5
                result.append(alphabet[Int(bits >> UInt64(count) & 31)])
            }
        }
        if count > 0 { result.append(alphabet[Int(bits << UInt64(5 - count) & 31)]) }
        while result.count % 8 != 0 { result.append(UInt8(ascii: "=")) }
        return String(decoding: result, as: UTF8.self)
    }

    static func decoded32(_ value: Value, _ text: String) throws(JQError) -> String {
        var bytes: [UInt8] = []
        var bits: UInt64 = 0
        var count = 0
        for byte in text.utf8 where byte != UInt8(ascii: "=") {
            guard let digit = alphabet.firstIndex(of: byte) else {
                throw Failure.single(value, "is not valid base32 data")
            }
            bits = (bits << 5 | UInt64(digit)) & 0xFFFF
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(count)))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
