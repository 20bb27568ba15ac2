import LosslessJSON
import TestKit
import Testing

@testable import Decoding

struct JSONElementsTests {
    private static func decoder(_ path: [String]? = []) -> JSONElements { JSONElements(JSONList(path: path)) }

    @Test func elementsOfAListAreRecordsAsTheyStand() throws {
        let text = "\u{FEFF} [ {\"id\":12345678901234567890123,\"f\":1.10} ,[1, 2],\n\"a\\\"]\", -3.5e1, null,{}]\n"
        let decoded = try Decoded.always(text, Self.decoder())
        #expect(
            decoded.records == [
                #"{"id":12345678901234567890123,"f":1.10}"#, "[1, 2]", #""a\"]""#, "-3.5e1", "null", "{}",
            ]
        )
        #expect(decoded.broken.isEmpty)
    }

    @Test func aPathOfMembersLeadsToTheList() throws {
        let text = #"{"x":{"b":[0]},"a":{"c":"]}\\","b":[1,{"b":[2]}],"d":[3]},"y":[{"b":4}], "z" : 5 }"#
        #expect(try Decoded.always(text, Self.decoder(["a", "b"])).records == ["1", #"{"b":[2]}"#])
        #expect(try Decoded.always(text, Self.decoder(["y"])).records == [#"{"b":4}"#])
        #expect(try Decoded.always(#"{"é":[1]}"#, Self.decoder(["é"])).records == ["1"])
    }

    @Test func whatIsNoListIsGivenWithItsPlaceAndNothingElse() throws {
        func whole(_ text: String, _ path: [String]?) throws -> [String] {
            try Decoded.wholes(text, Self.decoder(path))
        }
        #expect(try whole(#"{"x":1,"a":{"b":7,"c":8}}"#, ["a", "b"]) == [#"{"a":{"b":7}}"#])
        #expect(try whole(#"{"x":1,"a":{"c":8}}"#, ["a", "b"]) == [#"{"a":{}}"#])
        #expect(try whole(#"{"x":1}"#, ["a", "b"]) == ["{}"])
        #expect(try whole(#"{"a":[1]}"#, ["a", "b"]) == [#"{"a":[1]}"#])
        #expect(try whole(#"{"a":{"b":{"c":"}"}}}"#, ["a", "b"]) == [#"{"a":{"b":{"c":"}"}}}"#])
        #expect(try whole("[1,2]", ["a"]) == ["[1,2]"])
        #expect(try whole(#" {"any":[1, 2]} "#, nil) == [#"{"any":[1, 2]}"#])
        #expect(try whole("-17", nil) == ["-17"])
    }

    /// What is kept beside the list, the same however large the pieces are, with one element in the list.
    private static func rest(_ text: String, _ path: [String]) throws -> String {
        let bytes = Array(text.utf8)
        let rests = try [1, 2, 5, bytes.count].map { piece in
            var list = JSONList(path: path)
            list.keepsRest = true
            var decoder = JSONElements(list)
            let block = BlockBuilder()
            for at in stride(from: 0, to: bytes.count, by: piece) {
                try bytes[at..<min(bytes.count, at + piece)].withUnsafeBytes { try decoder.take($0, into: block) }
            }
            try decoder.finish(into: block)
            #expect(!decoder.isBehind)
            return String(decoding: block.rest.file(with: Array("LAST".utf8)), as: UTF8.self)
        }
        #expect(Set(rests).count == 1)
        return rests[0]
    }

    @Test func whatStandsBesideTheListIsKept() throws {
        #expect(try Self.rest("[1, 2, {\"a\": [3]}]", []) == "[LAST]")
        #expect(
            try Self.rest(
                #"{"x": {"b": [0]}, "a": {"c": "]}\\\"", "b": [1, {"b": 2}], "d": [3, 4]}, "next" : null }"#,
                ["a", "b"]
            )
                == #"{"x":{"b": [0]},"a":{"c":"]}\\\"","b":[LAST],"d":[3, 4]},"next":null}"#
        )
        #expect(try Self.rest(#"{"b": [], "é\u0041": 1.50}"#, ["b"]) == #"{"b":[LAST],"é\u0041":1.50}"#)
    }

    @Test func whatStandsBesideTheListIsNotKeptWithoutEnd() throws {
        var limits = DecodingLimits()
        limits.whole = 40
        let text = Array(#"{"a": [1], "b": "0123456789012345678901234567890123456789"}"#.utf8)
        for keeps in [false, true] {
            var list = JSONList(path: ["a"])
            list.keepsRest = keeps
            var decoder = JSONElements(list, limits)
            let block = BlockBuilder(limits)
            func read() throws { try text.withUnsafeBytes { try decoder.take($0, into: block) } }
            if keeps {
                #expect(
                    throws: DecodingFault(.overLimit, "the limit for everything outside the list is 40 bytes", line: 1)
                ) {
                    try read()
                }
            } else {
                try read()
                #expect(block.rest == JSONRest() && block.count == 1)
            }
        }
    }

    @Test func anAssignmentBeforeTheValueIsNothing() throws {
        let text = "window.YTD.tweets.part0 = [ {\"tweet\":{\"id\":\"1\"}} ]"
        #expect(try Decoded.always(text, Self.decoder()).records == [#"{"tweet":{"id":"1"}}"#])
        #expect(try Decoded.always("var a = {\"l\":[1]};\n", Self.decoder(["l"])).records == ["1"])
    }

    @Test func aBrokenElementIsNamedAndTheOthersAreKept() throws {
        let decoded = try Decoded.always("[{\"a\":1},\n{\"a\":},\n{\"a\" 2},{\"a\":3}]", Self.decoder())
        #expect(decoded.records == [#"{"a":1}"#, #"{"a":3}"#])
        #expect(decoded.broken.map(\.line) == [2, 3])
        #expect(decoded.broken.allSatisfy { $0.reason.hasPrefix("it is not JSON: ") })
    }

    @Test(arguments: [
        ("[1,2", "the JSON ends too soon", 1), ("", "there is no JSON in it", 1),
        ("[1]\n]", "there is something after the JSON value", 2),
        ("[1 2]", "a comma is missing between two elements", 1), ("[1,]", "a value is missing", 1),
        ("{\"a\":[1]} {}", "there is something after the JSON value", 1),
    ])
    func whatIsNoFileOfJSON(_ text: String, _ reason: String, _ line: Int) {
        let path = text.hasPrefix("{") ? ["a"] : []
        #expect(Decoded.fault(text, Self.decoder(path)) == DecodingFault(.malformed, reason, line: line))
    }

    @Test(arguments: [
        ("{\"a\":[1],\n\"a\":[2]}", "a member that leads to the records appears twice", 2),
        ("{\"a\":{\"z\":[]},\n\"\\u0061\": {\"b\":2}}", "a member that leads to the records appears twice", 2),
        ("{\"a\":{\"z\":[], \"z\": 1}, \"b\":2}", "a member that leads to the records appears twice", 1),
        ("{\"a\":{\"b\":1 \"c\":2}}", "a comma is missing", 1), ("{\"a\"[1]}", "a colon is missing", 1),
        ("{a:1}", "a member's name is missing", 1),
    ])
    func whatIsNoObjectOfThePath(_ text: String, _ reason: String, _ line: Int) {
        let path = text.contains("b") ? ["a", "z"] : ["a"]
        #expect(Decoded.fault(text, Self.decoder(path)) == DecodingFault(.malformed, reason, line: line))
    }

    @Test(
        "a list that is needed is missed at once",
        arguments: ["{\"x\":1,\"a\":{\"b\":", "{\"x\":1,\"a\":7", "{\"x\":1}", "["]
    )
    func neededList(_ start: String) {
        var list = JSONList(path: ["a"])
        list.isNeeded = true
        let fault = DecodingFault(.otherFormat, "there is no list at the place of the records", line: 1)
        #expect(throws: fault) { try Decoded(start.utf8, piece: 3, JSONElements(list)) }
    }

    @Test func anElementOverTheLimitEndsTheFile() {
        let long = "[1,\n\"\(String(repeating: "x", count: 4 << 20))\"]"
        let fault = DecodingFault(.overLimit, "a record is longer than the limit of 4194304 bytes", line: 2)
        #expect(throws: fault) { try Decoded(long.utf8, piece: 60_000, Self.decoder()) }
    }

    @Test(.timeLimit(.minutes(60))) func anythingIsReadAsTheWholeDocumentIs() throws {
        var random = MadeJSON()
        for _ in 0..<500 {
            let elements = (0..<Int.random(in: 0...6, using: &random.generator)).map { _ in random.value(depth: 3) }
            let list = "[" + elements.joined(separator: random.blank()) + "]"
            let text = #"{"other":\#(random.value(depth: 2))\#(random.blank())"list": \#(list)}"#
            guard let whole = try? JSONValue(parsing: text), let expected = whole["list"]?.elements else { continue }
            let decoded = try Decoded.always(text, Self.decoder(["list"]))
            #expect(decoded.records.map { try? JSONValue(parsing: $0) } == expected, "\(text)")
        }
    }
}

/// Makes JSON, with commas where there must be some.
private struct MadeJSON {
    var generator = SplitMix(state: 15)

    mutating func blank() -> String { [",", " ,", ",\n ", "\t,"][Int.random(in: 0..<4, using: &generator)] }

    mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &generator) {
        case 0: return "null"
        case 1: return "\(Int.random(in: -999...999, using: &generator)).50"
        case 2: return #""a\"b\\""#
        case 3: return #""[{}]ü\u00e9""#
        case 4: return "true"
        case 5: return "[" + [value(depth: depth - 1), value(depth: depth - 1)].joined(separator: " , ") + "]"
        default: return "{\"k\" : " + value(depth: depth - 1) + ",\"list\":" + value(depth: depth - 1) + "}"
        }
    }
}

extension Decoded {
    /// The files that are given as wholes.
    static func wholes(_ text: String, _ decoder: some RecordDecoder) throws -> [String] {
        var decoder = decoder
        let block = BlockBuilder()
        var wholes: [String] = []
        for byte in text.utf8 {
            try [byte].withUnsafeBytes { try decoder.take($0, into: block) }
            let sealed = try block.seal()
            if sealed.isWhole, let root = sealed.document?.root {
                wholes.append(String(decoding: root.slice, as: UTF8.self))
            }
        }
        try decoder.finish(into: block)
        let sealed = try block.seal()
        if sealed.isWhole, let root = sealed.document?.root {
            wholes.append(String(decoding: root.slice, as: UTF8.self))
        }
        return wholes
    }
}
