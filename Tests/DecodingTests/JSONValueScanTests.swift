import TestKit
import Testing

@testable import Decoding

/// The end of a value is where a reader finds it that looks at one byte after another.
struct JSONValueScanTests {
    /// Where the container that begins at 0 ends, and how many lines do before that.
    private static func end(of text: [UInt8]) -> (end: Int, lines: Int)? {
        var (depth, isInText, isEscaped, lines) = (0, false, false, 0)
        for (at, byte) in text.enumerated() {
            if byte == 0x0A { lines += 1 }
            if isEscaped {
                isEscaped = false
            } else if isInText {
                isEscaped = byte == 0x5C
                isInText = byte != 0x22
            } else if byte == 0x22 {
                isInText = true
            } else if byte | 0x20 == 0x7B {
                depth += 1
            } else if byte | 0x20 == 0x7D {
                depth -= 1
                if depth == 0 { return (at + 1, lines) }
            }
        }
        return nil
    }

    /// Bytes in which everything that matters comes often, and at all places of a block.
    private static func text(_ random: inout SplitMix) -> [UInt8] {
        var text: [UInt8] = [0x7B]
        var (depth, count) = (1, 0)
        let wanted = Int.random(in: 0..<400, using: &random)
        while depth > 0 {
            count += 1
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where count < wanted:
                text.append(Bool.random(using: &random) ? 0x5B : 0x7B)
                depth += 1
            case 1, 2:
                if depth == 1, count < wanted { continue }
                text.append(Bool.random(using: &random) ? 0x5D : 0x7D)
                depth -= 1
            case 3...6:
                text.append(0x22)
                for _ in 0..<Int.random(in: 0..<20, using: &random) {
                    let byte =
                        [UInt8](arrayLiteral: 0x61, 0x7B, 0x7D, 0x5B, 0x5D, 0x0A, 0x5C).randomElement(using: &random)
                        ?? 0x61
                    text.append(byte)
                    if byte == 0x5C { text.append(Bool.random(using: &random) ? 0x22 : 0x5C) }
                }
                text.append(0x22)
            case 7: text += Array(repeating: 0x20, count: Int.random(in: 0..<70, using: &random))
            default: text += [0x2C, 0x0A, 0x31]
            }
        }
        return text
    }

    @Test(arguments: 0..<200)
    func findsTheEndHoweverTheTextIsCut(seed: Int) throws {
        var random = SplitMix(state: UInt64(seed))
        let value = Self.text(&random)
        // What follows is no part of it.
        let text = value + Array(#"],"}\"#.utf8)
        let expected = try #require(Self.end(of: text))
        #expect(expected.end == value.count)
        var scan = JSONValueScan()
        var (at, line) = (0, 0)
        while !scan.isDone {
            let end = min(text.count, at + Int.random(in: 1...150, using: &random))
            let taken = text[at..<end].withUnsafeBytes { scan.take($0, 0, &line) }
            #expect(scan.isDone || taken == end - at)
            at += taken
        }
        #expect(at == expected.end)
        #expect(line == expected.lines)
    }

    @Test(arguments: [(#""a\"b\\",1"#, 8), (#""","#, 2), ("\"a\nb\"", 5), (#""\\\\" "#, 6), (#""{[" }"#, 4)])
    func findsTheEndOfAText(text: String, expected: Int) {
        let bytes = Array(text.utf8)
        var (whole, line) = (JSONValueScan(), 0)
        #expect(bytes.withUnsafeBytes { whole.take($0, 0, &line) } == expected)
        #expect(line == bytes.count { $0 == 0x0A })
        // Byte by byte.
        var (scan, at) = (JSONValueScan(), 0)
        while !scan.isDone { at += bytes[at...at].withUnsafeBytes { scan.take($0, 0, &line) } }
        #expect(at == expected)
    }

    @Test(arguments: ["12.5,", "true]", "null}", "1 ", "-7\n"])
    func aScalarEndsWithWhatFollows(text: String) {
        var (scan, line) = (JSONValueScan(), 0)
        let end = Array(text.utf8).withUnsafeBytes { scan.take($0, 0, &line) }
        #expect(end == text.utf8.count - 1)
        #expect(scan.isDone)
    }
}
