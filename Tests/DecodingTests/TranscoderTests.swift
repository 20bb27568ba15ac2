import Testing

@testable import Decoding

struct TranscoderTests {
    func read(
        _ bytes: [UInt8],
        given: String? = nil,
        declared: String? = nil,
        isXML: Bool = false
    ) throws -> (text: String, replaced: Int) {
        var results: [(String, Int)] = []
        for piece in [1, 2, 3, 1000] {
            let transcoder = Transcoder(given: given.flatMap { Charset($0) }, declared: declared, isXML: isXML)
            var text: [UInt8] = []
            var at = 0
            while at < bytes.count {
                let end = min(bytes.count, at + piece)
                try bytes[at..<end].withUnsafeBytes { try transcoder.take($0) { text += $0 } }
                at = end
            }
            try transcoder.finish { text += $0 }
            results.append((String(validating: text, as: UTF8.self) ?? "no UTF-8", transcoder.replaced))
        }
        #expect(results.allSatisfy { $0 == results[0] }, "\(results)")
        return results[0]
    }

    private static let text = "Zoë, 東京, 🙂 – " + String(repeating: "plain ", count: 100)

    @Test func marksSayWhatItIs() throws {
        let marked = "\u{FEFF}" + Self.text
        let little = marked.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big = marked.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let wide = marked.unicodeScalars.flatMap { scalar in (0..<4).map { UInt8(scalar.value >> ($0 * 8) & 255) } }
        for bytes in [Array(marked.utf8), little, big, wide] {
            // Whatever else is said.
            #expect(try read(bytes, given: "latin1") == (Self.text, 0))
        }
    }

    @Test func zeroBytesTellWideText() throws {
        let plain = "<a>Zoë</a>"
        #expect(try read(plain.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == (plain, 0))
        #expect(try read(plain.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }) == (plain, 0))
    }

    @Test func theManifestComesBeforeTheHeaderBeforeTheDeclaration() throws {
        let bytes = Array("<?xml version='1.0' encoding = 'ISO-8859-2'?>".utf8) + [0xF5]
        #expect(try read(bytes, given: "koi8-r", declared: "latin1", isXML: true).text.last == "У")
        #expect(try read(bytes, declared: "latin1", isXML: true).text.last == "õ")
        #expect(try read(bytes, isXML: true).text.last == "ő")
        #expect(try read(bytes).replaced == 1)
    }

    @Test func latinOneHasTheDashesOfWindows() throws {
        #expect(try read([0x96, 0x80, 0xFC, 0x41, 0x81], given: "ISO-8859-1") == ("–€üA\u{81}", 0))
    }

    @Test func charsetsOfSeveralBytesAreRead() throws {
        #expect(try read([0x93, 0x8C, 0x8B, 0x9E, 0x41], given: "shift_jis") == ("東京A", 0))
        #expect(try read([0xC5, 0xEC, 0xB5, 0xFE], given: "euc-jp") == ("東京", 0))
        #expect(Charset("no-such-charset") == nil)
        #expect(Charset("latin1//translit") == nil)
        #expect(Charset("") == nil)
    }

    @Test func whatIsNoTextIsReplacedAndCounted() throws {
        // A lone continuation, an overlong form, a surrogate, a character that is cut short by another one and by the end.
        let bytes: [UInt8] = [0x41, 0x80, 0xC0, 0xAF, 0xED, 0xA0, 0x80, 0xE2, 0x82, 0x42, 0xF0, 0x9F, 0x99]
        #expect(try read(bytes) == ("A\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}B\u{FFFD}", 8))
        #expect(try read([0xFF, 0xFE, 0x41, 0, 0x00, 0xDC, 0x42, 0, 0x43]) == ("A\u{FFFD}B\u{FFFD}", 2))
    }
}
