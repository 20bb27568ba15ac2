import LosslessJSON
import Testing

@testable import Decoding

struct JSONLinesTests {
    @Test func aRecordIsAsItsLine() throws {
        let text = "{\"id\":12345678901234567890123,\"f\":1.10}\r\n\n  {\"a\": [1, 2]}  \n\u{1E}{\"b\":\"ü\"}"
        let decoded = try Decoded.always(text, JSONLines())
        #expect(
            decoded.records == [#"{"id":12345678901234567890123,"f":1.10}"#, #"{"a": [1, 2]}"#, #"{"b":"ü"}"#]
        )
        #expect(decoded.broken.isEmpty)
    }

    @Test func aBrokenLineIsNamedAndTheOthersAreKept() throws {
        let text = "{\"a\":1}\n{\"a\":\n{\"a\":3}\n\nnonsense\n"
        let decoded = try Decoded.always(text, JSONLines())
        #expect(decoded.records == [#"{"a":1}"#, #"{"a":3}"#])
        #expect(decoded.broken.map(\.line) == [2, 5])
        #expect(decoded.broken.map { String(decoding: $0.text, as: UTF8.self) } == ["{\"a\":", "nonsense"])
        #expect(decoded.broken.allSatisfy { $0.reason.hasPrefix("it is not JSON: ") })
    }

    @Test(arguments: ["1,2\n3", "{\"a\":[1\n2]}\n1,2\n4", "[1\n2]\n1,2", "]\n[", "{}\n],[\n{}"])
    func linesAreNotReadTogether(_ text: String) throws {
        let good = text.split(separator: "\n").map(String.init).filter { (try? JSONValue(parsing: $0)) != nil }
        let decoded = try Decoded.always(text, JSONLines())
        #expect(decoded.records == good)
        #expect(decoded.records.count + decoded.broken.count == text.split(separator: "\n").count)
    }

    @Test func marksBetweenJoinedFilesAreNothing() throws {
        let decoded = try Decoded.always("{\"a\":1}\n\u{FEFF}{\"a\":2}\n\u{FEFF}\u{FEFF}\n", JSONLines())
        #expect(decoded.records == [#"{"a":1}"#, #"{"a":2}"#])
        #expect(decoded.broken.isEmpty)
    }

    @Test func aTextBehindASeparatorMaySpanLines() throws {
        let text = "\u{1E}{\n\"a\":1}\n\u{1E}{\"b\":\n\u{1E}{\"c\":3}\n"
        let decoded = try Decoded.always(text, JSONLines())
        #expect(decoded.records == ["{\n\"a\":1}", #"{"c":3}"#])
        #expect(decoded.broken.map(\.line) == [3])
    }

    @Test func aLineThatIsNestedTooDeepIsBroken() throws {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        let decoded = try Decoded.always("{}\n\(deep)\n[]", JSONLines())
        #expect(decoded.records == ["{}", "[]"])
        #expect(decoded.broken.map(\.line) == [2])
    }

    @Test(arguments: ["<!DOCTYPE html><html>", " \n<html>", "<?xml version='1.0'?>"])
    func aPageIsNoText(_ text: String) {
        let fault = DecodingFault(.otherFormat, text.contains("xml") ? "it is XML" : "it is an HTML page")
        #expect(Decoded.fault(text, JSONLines()) == fault)
        #expect(Decoded.fault(text, DelimitedText()) == fault)
    }

    @Test(.timeLimit(.minutes(60))) func linesThatEndWithReturnsAreSearchedOnce() throws {
        let text = (0..<(512 << 10)).map { $0 & 1 == 0 ? 0x61 : 0x0D as UInt8 }
        #expect(try Decoded(text, piece: 512 << 10, Lines()).records.count == 256 << 10)
    }

    @Test func bytesThatAreNoTextBreakTheirLineOnly() throws {
        let decoded = try Decoded.always(
            Array("{\"a\":1}\n{\"a\":\"".utf8) + [0xFF] + Array("\"}\n{}".utf8),
            JSONLines()
        )
        #expect(decoded.records == [#"{"a":1}"#, "{}"])
        #expect(decoded.broken.map(\.line) == [2])
    }

    @Test func aLineOverTheLimitIsAFault() {
        let long = "{}\n\"" + String(repeating: "a", count: 200) + "\"\n"
        #expect(
            Decoded.fault(long, JSONLines(DecodingLimits(record: 100)))
                == DecodingFault(.overLimit, "a record is longer than the limit of 100 bytes", line: 2)
        )
    }

    @Test func linesOfATextAreRecords() throws {
        let decoded = try Decoded.always("one \"1\"\r\n\r\ntwo\rthree\nfour", Lines())
        #expect(
            decoded.records == [
                #"{"line":"one \"1\"","number":1}"#, #"{"line":"two","number":3}"#, #"{"line":"three","number":4}"#,
                #"{"line":"four","number":5}"#,
            ]
        )
    }

    @Test func everyControlCharacterIsEscaped() throws {
        let all = (0...0x7F).map { UInt8($0) }.filter { $0 != 0x0A && $0 != 0x0D }
        let decoded = try Decoded.always(all, Lines())
        let value = try JSONValue(parsing: decoded.records[0])
        #expect(value["line"]?.stringText.map { Array($0.utf8) } == all)
    }
}
