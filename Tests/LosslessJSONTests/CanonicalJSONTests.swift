import LosslessJSON
import Testing

struct CanonicalJSONTests {
    private func canonical(_ text: String) throws -> (text: String, repaired: Int) {
        let document = try JSONDocument(bytes: Array(text.utf8))
        var fromTape = CanonicalJSON()
        document.withCursor { fromTape.append($0, 0) }
        var fromTree = CanonicalJSON()
        fromTree.append(document.root.value)
        #expect(fromTape.bytes == fromTree.bytes, "both ways give the same bytes")
        return (String(decoding: fromTape.bytes, as: UTF8.self), fromTape.repaired)
    }

    @Test(arguments: [
        (#" { "b" : 1 , "a" : [ 1.10 , 1e400 , -0 ] } "#, #"{"a":[1.10,1e400,-0],"b":1}"#),
        (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#),
        (#"{"\u0062":1,"a":2}"#, #"{"a":2,"b":1}"#),
        (#"{"é":1,"z":2,"Z":3,"_id":4}"#, #"{"Z":3,"_id":4,"z":2,"é":1}"#),
        (#"["\/\u0041\u00e9\ud83d\ude00\n\u001f"]"#, "[\"/Aé😀\\n\\u001f\"]"),
        ("[9007199254740993,12345678901234567890.123]", "[9007199254740993,12345678901234567890.123]"),
        (#"{"":{"b":{},"a":[]}}"#, #"{"":{"a":[],"b":{}}}"#),
        ("\"a\u{7f}b\"", "\"a\u{7f}b\""),
    ])
    func writesOneFormForEachValue(input: String, expected: String) throws {
        #expect(try canonical(input).text == expected)
    }

    @Test func repairsWhatTheDatabaseRefusesAndCountsIt() throws {
        let document = try JSONDocument(bytes: Array(#"{"a":"x\u0000y","b":"\ud800","c":"\udc00\ud800x"}"#.utf8))
        var writer = CanonicalJSON()
        document.withCursor { writer.append($0, 0) }
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == "{\"a\":\"x\u{FFFD}y\",\"b\":\"\u{FFFD}\",\"c\":\"\u{FFFD}\u{FFFD}x\"}"
        )
        #expect(writer.repaired == 4)
    }

    @Test func repairsKeysBeforeTheyAreSortedAndCompared() throws {
        let repaired = try canonical(#"{"\u0000":1,"a":2,"b\u0000":{"\u0000c":3},"b\ufffd":4}"#)
        #expect(repaired.text == "{\"a\":2,\"b\u{FFFD}\":4,\"\u{FFFD}\":1}")
        #expect(repaired.repaired == 2)
    }

    @Test(arguments: [
        ("", "the document is empty at byte offset 0"),
        (#"{"a":1"#, "the document ends inside an array or object at byte offset 6"),
        (#"["abc"#, "a string does not end at byte offset 1"), ("[1,]", "a value is expected at byte offset 3"),
        ("[01]", "this is not a JSON number at byte offset 1"),
        ("[1] x", "there is text after the end of the document at byte offset 4"),
        ("<html>", "a value is expected at byte offset 0"), (#"{"a" 1}"#, "':' is expected at byte offset 5"),
    ])
    func saysWhereADocumentGoesWrong(input: String, expected: String) {
        #expect { _ = try JSONDocument(bytes: Array(input.utf8)) } throws: { "\($0)" == expected }
    }

    @Test(arguments: [
        ("1", "1"), ("1.0", "1"), ("1e0", "1"), ("10e-1", "1"), ("-0", "0"), ("0.000", "0"), ("-1.50", "-1.5"),
        ("12345678901234567890123", "12345678901234567890123"), ("1e2", "100"), ("1.5e3", "1500"), ("0.001", "0.001"),
        ("1e-400", "1e-400"), ("12e399", "1.2e400"), ("1e20", "100000000000000000000"),
        ("1e40", "1e40"), ("1\(String(repeating: "0", count: 40))", "1e40"),
        ("-1e99999999999999999999", "-1e99999999999999999999"), ("1e19", "10000000000000000000"),
    ])
    func aNumberHasOneTextForItsValue(text: String, expected: String) throws {
        #expect(try #require(JSONNumber(text)).canonicalText == expected)
    }

    @Test func capsDepthAndSize() {
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect { _ = try JSONValue(parsing: deep) } throws: {
            "\($0)" == "nested deeper than 128 levels at byte offset 128"
        }
        #expect(throws: Never.self) { _ = try JSONValue(parsing: deep, limits: JSONLimits(depth: 200)) }
        #expect(throws: JSONError.self) { _ = try JSONValue(parsing: "[1,2,3]", limits: JSONLimits(bytes: 6)) }
    }

    @Test func skipsAByteOrderMark() throws {
        #expect(
            try JSONValue(parsing: [0xEF, 0xBB, 0xBF] + Array(#"{"a":["x",{"b":1}]}"#.utf8)).compactText
                == #"{"a":["x",{"b":1}]}"#
        )
    }

    @Test(arguments: [
        (#"["a\\u0000","é",1]"#, false, false), (#"["\u0000"]"#, true, true), (#"{"x\u0000":1}"#, true, true),
        (#""\ud83d\ude00""#, false, true), (#""\uDC00""#, false, true), (#""\\\uD800""#, false, true),
        (#""\u0041\n\"\\""#, false, false), ("[]", false, false), (#""\\\\u0000""#, false, false),
    ])
    func aViewSaysWhichEscapesItHolds(_ text: String, _ holdsNUL: Bool, _ mayNeedRepairs: Bool) throws {
        let view = try JSONDocument(bytes: Array(text.utf8)).root
        #expect(view.holdsNUL == holdsNUL)
        #expect(view.mayNeedRepairs == mayNeedRepairs)
        var canonical = CanonicalJSON()
        view.document.withCursor { canonical.append($0, view.node) }
        // What is never in doubt never needs a repair.
        #expect(mayNeedRepairs || canonical.repaired == 0)
    }

    @Test func stringsAreOrderedByTheirBytes() {
        let ordered: [JSONString] = [
            "", "\u{0}", "a", "a\u{0}", "aa", "b", "e\u{301}", "sixteen bytes or more", "sixteen bytes or more!", "é",
            "\u{FFFD}", "😀",
        ]
        for (at, left) in ordered.enumerated() {
            for (other, right) in ordered.enumerated() {
                #expect((left < right) == (at < other), "\(left) \(right)")
                #expect((left == right) == (at == other), "\(left) \(right)")
            }
        }
    }

    @Test func anObjectInItsDocumentIsSortedAsItsTreeIs() throws {
        // Keys that differ late or only in length, repeated ones among them, few and many.
        let keys = [
            "b", "a", "", "eight by", "eight bytes", "eight byte", "eight bz", "é", "e", "_id2", "_ic", "a", "Z", "zz",
            "z",
            "eight bytes",
        ]
        for count in [0, 1, 2, 5, keys.count, 23, 24, 25, 40, 200] {
            let members = (0..<count).map { at in
                let round = at / keys.count
                return "\"\(keys[at % keys.count])\(round % 3 == 0 ? "" : String(round))\" : [ \(at) ]"
            }
            for text in ["{\(members.joined(separator: " , "))}", "{\(members.sorted().joined(separator: ","))}"] {
                let view = try JSONDocument(bytes: Array(text.utf8)).root
                var expected = CanonicalJSON()
                expected.append(view.value)
                var written = CanonicalJSON()
                view.document.withCursor { written.append($0, view.node) }
                #expect(written.bytes == expected.bytes, "\(text)")

                var object = try #require(view.value.object)
                object["_id"] = .text("x\"")
                var larger = CanonicalJSON()
                larger.append(.object(object))
                var inserted = CanonicalJSON()
                let isInserted = Array("x\"".utf8).withUnsafeBufferPointer { identity in
                    view.document.withCursor { cursor in
                        inserted.append(cursor, object: view.node, inserting: Array("_id".utf8), text: identity)
                    }
                }
                #expect(isInserted && inserted.bytes == larger.bytes, "\(text)")
            }
        }
    }

    @Test func seesEveryByteThatIsWrittenWithABackslash() {
        for byte in UInt8.min...UInt8.max {
            let isEscaped = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            for neighbour in [UInt8(ascii: "a"), 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xFF] {
                for place in 0..<20 {
                    var text = [UInt8](repeating: neighbour, count: 20)
                    text[place] = byte
                    let isSeen = text.withUnsafeBufferPointer { JSONText.isAnyEscaped($0) }
                    #expect(isSeen == isEscaped, "\(byte) beside \(neighbour) at \(place)")
                }
            }
        }
    }
}
