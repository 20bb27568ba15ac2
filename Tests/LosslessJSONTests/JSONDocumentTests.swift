import LosslessJSON
import Testing

struct JSONDocumentTests {
    /// Every text, with the fault that its reader names and the offset of it.
    @Test(arguments: [
        ("", "the document is empty", 0),
        (" ", "the document is empty", 0),
        ("[1", "the document ends inside an array or object", 2),
        ("{", "the document ends inside an array or object", 1),
        (#"{"a""#, "the document ends inside an array or object", 4),
        (#"{"a":1,"#, "the document ends inside an array or object", 7),
        ("[1]]", "there is text after the end of the document", 3),
        ("1 2", "there is text after the end of the document", 2),
        ("[1 2]", "',' or ']' is expected", 3),
        (#"{"a":1]"#, "',' or '}' is expected", 6),
        (#"{"a":[1},2]"#, "',' or ']' is expected", 7),
        ("[,1]", "a value is expected", 1),
        ("[1,]", "a value is expected", 3),
        ("{,}", "a key in quotes is expected", 1),
        (#"{"a":1,}"#, "a key in quotes is expected", 7),
        ("{1:2}", "a key in quotes is expected", 1),
        (#"{"a" 1}"#, "':' is expected", 5),
        ("[tru]", "a value is expected", 1), ("[1,NaN]", "NaN and Infinity are no JSON values", 3),
        (#"{"a":-Infinity}"#, "NaN and Infinity are no JSON values", 5), ("[Na]", "a value is expected", 1),
        ("[nul\\u006c]", "a value is expected", 1),
        ("[01]", "this is not a JSON number", 1),
        ("[-]", "this is not a JSON number", 1),
        (#"["\x"]"#, "a string contains an unknown escape", 2),
        (#"["a","\n\u12g4"]"#, "'\\u' needs four hexadecimal digits", 8),
        (#"{"\u00":1}"#, "'\\u' needs four hexadecimal digits", 2),
        (#"["\q" 1]"#, "a string contains an unknown escape", 2),
        (#"["\\", 1 "\q"]"#, "',' or ']' is expected", 9),
        ("[[[1]]]", "nested deeper than 2 levels", 2),
        ("[[{}]]", "nested deeper than 2 levels", 2),
    ])
    func saysWhatIsWrongAndWhere(text: String, reason: String, offset: Int) {
        for mark in ["", "\u{FEFF}"] {
            let bytes = Array((mark + text).utf8)
            let error = #expect(throws: JSONError.self) {
                try JSONDocument(bytes: bytes, limits: JSONLimits(depth: 2))
            }
            #expect(error?.reason == reason)
            #expect(error?.offset == offset + mark.utf8.count)
        }
    }

    @Test func findsKeysHoweverTheyAreWritten() throws {
        let text = #"{"a":1,"\u0062":2,"":3,"ab":4,"b":5,"\n":{"a":6},"c\\":7}"#
        let root = try JSONDocument(bytes: Array(text.utf8)).root
        let found = ["a", "b", "", "ab", "\n", "c\\", "c", "\\u0062"].map { root[$0]?.value.compactText }
        #expect(found == ["1", "5", "3", "4", #"{"a":6}"#, "7", nil, nil])
    }

    @Test(arguments: [
        #"{"a":"\n \"\\ \u00e9","b\t" : 1}"#, #"{"a":"\n \"\\ \u00e9","b":{"b\t":1}}"#, #"[{"b\t":1},"\n"]"#,
    ])
    func findsEscapedKeysAmongEscapedTexts(text: String) throws {
        let root = try JSONDocument(bytes: Array(text.utf8)).root
        let object = root["b"] ?? root.elements?.first ?? root
        #expect(object["b\t"]?.number?.text == "1")
    }

    @Test(arguments: ["", "\u{FEFF}"]) func knowsWhereEachValueStands(mark: String) throws {
        let text = mark + #"{ "a" : [ 1 , {} , "x" ] , "b" : null }"#
        let document = try JSONDocument(bytes: Array(text.utf8))
        let elements = try #require(document.root["a"]?.elements)
        let views = try [document.root, #require(document.root["a"])] + elements + [#require(document.root["b"])]
        let places = views.map { document.offset(of: $0.node) - mark.utf8.count }
        #expect(places == [0, 8, 10, 14, 19, 33])
        #expect(elements.map { String(decoding: $0.slice, as: UTF8.self) } == ["1", "{}", #""x""#])
    }

    /// Memory is used again, by documents of many sizes at the same time.
    @Test func keepsDocumentsApart() async throws {
        func text(_ number: Int) -> [UInt8] {
            Array("[\(Array(repeating: "\(number)", count: 1 + number * 977 % 100_000).joined(separator: ","))]".utf8)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in 0..<4 {
                group.addTask {
                    var kept: [(number: Int, document: JSONDocument)] = []
                    for number in stride(from: start, to: 48, by: 4) {
                        kept.append((number, try JSONDocument(bytes: text(number))))
                        if kept.count > 3 { kept.removeFirst() }
                        for (number, document) in kept { #expect(document.root.slice == text(number)) }
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
