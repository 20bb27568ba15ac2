import Testing

@testable import Decoding

/// Texts as the insides of JSON strings, which are written eight bytes at a time.
@Suite struct JSONEscapingTests {
    /// The same, byte by byte.
    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x22: Array(#"\""#.utf8)
            case 0x5C: Array(#"\\"#.utf8)
            case 0x0A: Array(#"\n"#.utf8)
            case 0x0D: Array(#"\r"#.utf8)
            case 0x09: Array(#"\t"#.utf8)
            case ..<0x20: Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: [byte]
            }
        }
    }

    @Test func eachByteIsWrittenAtEachPlaceOfEachLength() {
        for length in 1...20 {
            for place in 0..<length {
                for byte in [0, 0x09, 0x0A, 0x0D, 0x1F, 0x20, 0x21, 0x22, 0x23, 0x5B, 0x5C, 0x5D, 0x7F, 0x80, 0xFF]
                    as [UInt8]
                {
                    var text = (0..<length).map { UInt8(ascii: "a") + UInt8($0) }
                    text[place] = byte
                    let json = JSONBytes()
                    json.appendString(text)
                    #expect(
                        [UInt8](json.bytes) == [0x22] + Self.escaped(text) + [0x22],
                        "\(byte) at \(place) of \(length)"
                    )
                }
            }
        }
    }

    @Test func aLongTextIsWrittenInPieces() {
        let text = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let json = JSONBytes(capacity: 64)
        text.withUnsafeBytes { json.appendEscaped($0) }
        #expect([UInt8](json.bytes) == Self.escaped(text))
    }
}
