import Testing

@testable import PlugHostCLI

struct JSONSequenceTests {
    /// The documents of an input that arrives in pieces of one size, with their offsets.
    private static func documents(_ text: String, pieces size: Int) -> [String] {
        let bytes = Array(text.utf8)
        var sequence = JSONSequence()
        var documents: [String] = []
        func take(atEnd: Bool) {
            while let (bytes, offset) = sequence.next(atEnd: atEnd) {
                documents.append("\(offset) \(String(decoding: bytes, as: UTF8.self))")
            }
        }
        for start in stride(from: 0, to: bytes.count, by: size) {
            sequence.append(Array(bytes[start..<min(start + size, bytes.count)]))
            take(atEnd: false)
        }
        take(atEnd: true)
        return documents
    }

    @Test(
        "finds the documents, in pieces of whatever size they arrive",
        arguments: [
            ("", []), (" \n\t\r ", []),
            (#"{"a":1}"#, [#"0 {"a":1}"#]),
            (#"{"a":[1,{}]}[]"#, [#"0 {"a":[1,{}]}"#, "12 []"]),
            ("1 2\n\"a\"true[3]null", ["0 1", "2 2", "4 \"a\"", "7 true", "11 [3]", "14 null"]),
            (#"["}]\"",{"\\":"{"}] 7"#, [#"0 ["}]\"",{"\\":"{"}]"#, "20 7"]),
            ("\u{FEFF}{} {}", ["3 {}", "6 {}"]),
            // What is no JSON is handed on to the parser, which says why.
            (#"{"open":[1"#, [#"0 {"open":[1"#]), ("]]", ["0 ]]"]), (#""no end"#, [#"0 "no end"#]),
        ] as [(String, [String])]
    )
    func splits(text: String, documents: [String]) {
        for size in 1...max(1, text.utf8.count) {
            #expect(Self.documents(text, pieces: size) == documents, "in pieces of \(size)")
        }
    }

    @Test("keeps no bytes of white space, however much there is")
    func whiteSpace() {
        var sequence = JSONSequence()
        for _ in 0..<100 {
            sequence.append(Array(repeating: 0x20, count: 1000))
            #expect(sequence.next(atEnd: false) == nil)
        }
        #expect(sequence.pendingBytes == 0)
    }
}
