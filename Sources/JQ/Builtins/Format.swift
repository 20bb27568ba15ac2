import LosslessJSON

/// `@text` and the other formats.
enum Format: String, CaseIterable, Sendable {
    case text = "@text"
    case json = "@json"
    case html = "@html"
    case uri = "@uri"
    case urid = "@urid"
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
        case .csv, .tsv, .sh: return try row(value, meter)
        default: break
        }
        var text = try Self.plain(value, meter)
        try meter.copy(bytes: 2 * text.utf8.count)
        let shown = Value.text(text)
        var problem: JQError?
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        text.withUTF8 { source in
            do throws(JQError) { try convert(source, shown, into: &bytes) } catch { problem = error }
        }
        if let problem { throw problem }
        try meter.take(bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func convert(
        _ source: UnsafeBufferPointer<UInt8>,
        _ value: Value,
        into bytes: inout [UInt8]
    ) throws(JQError) {
        switch self {
        case .html: for byte in source { Self.escape(byte, Self.entities, into: &bytes) }
        case .uri: PercentCode.encode(source, into: &bytes)
        case .urid: try PercentCode.decode(source, value, into: &bytes)
        case .base64: Base32And64.encode64(source, into: &bytes)
        case .base64d: try Base32And64.decode64(source, value, into: &bytes)
        case .base32: Base32And64.encode32(source, into: &bytes)
        case .base32d: try Base32And64.decode32(source, value, into: &bytes)
        default: bytes.append(contentsOf: source)
        }
    }

    private typealias Escapes = [(byte: UInt8, text: StaticString)]

    private static let entities: Escapes = [
        (UInt8(ascii: "<"), "&lt;"), (UInt8(ascii: ">"), "&gt;"), (UInt8(ascii: "&"), "&amp;"),
        (UInt8(ascii: "'"), "&apos;"), (UInt8(ascii: "\""), "&quot;"),
    ]
    private static let quotes: Escapes = [(UInt8(ascii: "\""), "\"\"")]
    private static let tabs: Escapes = [
        (UInt8(ascii: "\\"), "\\\\"), (0x09, "\\t"), (0x0D, "\\r"), (0x0A, "\\n"),
    ]
    private static let apostrophes: Escapes = [(UInt8(ascii: "'"), "'\\''")]

    @inline(__always)
    private static func escape(_ byte: UInt8, _ escapes: Escapes, into bytes: inout [UInt8]) {
        for escape in escapes where escape.byte == byte {
            return bytes.append(
                contentsOf: UnsafeBufferPointer(start: escape.text.utf8Start, count: escape.text.utf8CodeUnitCount)
            )
        }
        bytes.append(byte)
    }

    /// `tostring`
    static func plain(_ value: Value, _ meter: Meter) throws(JQError) -> String {
        if case .string(let string) = value { return string.text }
        return try value.text(meter)
    }

    // MARK: - Rows

    private func row(_ value: Value, _ meter: Meter) throws(JQError) -> String {
        var cells = [value]
        if let elements = try value.array(meter) {
            cells = elements
        } else if self != .sh {
            throw Failure.single(value, "cannot be \(self == .csv ? "csv" : "tsv")-formatted, only array")
        }
        var bytes: [UInt8] = []
        for (at, cell) in cells.enumerated() {
            try meter.step()
            if at > 0 { bytes.append(separator) }
            switch cell.rank {
            case 0 where self != .sh: break
            case 3 where self != .sh && cell.asDouble?.isNaN == true: break
            case 0, 1, 2, 3: bytes.append(contentsOf: try cell.text(meter).utf8)
            case 4:
                let text = cell.asText ?? ""
                try meter.work(4 * text.utf8.count)
                quote(text, into: &bytes)
            default:
                throw Failure.single(
                    cell,
                    self == .sh ? "can not be escaped for shell" : "is not valid in a csv row"
                )
            }
            if bytes.count > meter.limits.bytes { throw meter.bytesError }
        }
        try meter.copy(bytes: bytes.count)
        return String(decoding: bytes, as: UTF8.self)
    }

    private var separator: UInt8 {
        switch self {
        case .csv: UInt8(ascii: ",")
        case .tsv: 0x09
        default: UInt8(ascii: " ")
        }
    }

    private func quote(_ text: String, into bytes: inout [UInt8]) {
        let (mark, escapes): (UInt8?, Escapes) =
            switch self {
            case .csv: (UInt8(ascii: "\""), Self.quotes)
            case .sh: (UInt8(ascii: "'"), Self.apostrophes)
            default: (nil, Self.tabs)
            }
        if let mark { bytes.append(mark) }
        for byte in text.utf8 { Self.escape(byte, escapes, into: &bytes) }
        if let mark { bytes.append(mark) }
    }
}
