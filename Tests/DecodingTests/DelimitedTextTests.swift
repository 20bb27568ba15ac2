import Testing

@testable import Decoding

struct DelimitedTextTests {
    private func read(_ text: String, _ dialect: DelimitedDialect = DelimitedDialect()) throws -> Decoded {
        try Decoded.always(text, DelimitedText(dialect))
    }

    @Test func aRowIsAnObjectOfTexts() throws {
        let decoded = try read("id,name,price\r\n007,\"Ann, \"\"the\"\" Ü\",1.10\r\n2,,\r\n")
        #expect(
            decoded.records == [
                #"{"id":"007","name":"Ann, \"the\" Ü","price":"1.10"}"#, #"{"id":"2","name":"","price":""}"#,
            ]
        )
        #expect(decoded.broken.isEmpty)
    }

    @Test("a sentence in place of a table is no header")
    func aSentence() throws {
        for text in ["Keine Ums\u{E4}tze vorhanden", "Session expired\r\n"] {
            let fault = #expect(throws: DecodingFault.self) { try read(text) }
            #expect(fault?.kind == .otherFormat && fault?.line == 1)
        }
        #expect(try read("id\n").records == [])
        #expect(try read("first name\nAnn\n").records == [#"{"first name":"Ann"}"#])
    }

    @Test(arguments: ["\n", "\r\n", "\r"]) func everyLineEndEndsARow(_ end: String) throws {
        let rows = ["a,b", "1,2", "", "\"x\(end)y\",4", "5,\"6\""]
        for text in [rows.joined(separator: end), rows.joined(separator: end) + end] {
            let inside = end.map { $0 == "\n" ? "\\n" : $0 == "\r" ? "\\r" : "\\r\\n" }.joined()
            #expect(
                try read(text).records == [
                    #"{"a":"1","b":"2"}"#, #"{"a":"x\#(inside)y","b":"4"}"#, #"{"a":"5","b":"6"}"#,
                ]
            )
        }
    }

    @Test func rowsThatOnlyRepeatLongNamesAreRefused() throws {
        let limits = DecodingLimits(record: 64 << 10)
        let name = String(repeating: "n", count: 10_000)
        let few = "\(name),b\n" + String(repeating: "1,2\n", count: 6)
        #expect(try Decoded.always(few, DelimitedText(DelimitedDialect(), limits)).records.count == 6)
        let many = few + String(repeating: "1,2\n", count: 1_000)
        let fault = Decoded.fault(many, DelimitedText(DelimitedDialect(), limits))
        #expect(fault?.kind == .overLimit)
        #expect(
            fault?.reason
                == "its rows become more than 256 times as large as the file: the names of the columns are too long"
        )
    }

    @Test func namesOfSurveysAreNotTooLong() throws {
        let question = String(repeating: "How are you? ", count: 18)
        let text = "\(question)\n" + String(repeating: "5\n", count: 100_000)
        #expect(try Decoded.always(text, DelimitedText()).records.count == 100_000)
    }

    @Test func dialectsDiffer() throws {
        #expect(try read("a\tb\n1\t\"2\t3\"\n", .tabs).records == [#"{"a":"1","b":"2\t3"}"#])
        #expect(try read("sep=;\r\na;b\r\n1,5;2\r\n").records == [#"{"a":"1,5","b":"2"}"#])
        #expect(
            try read("a;'b'\n'it''s';\"\n", DelimitedDialect(separator: 0x3B, quote: 0x27)).records
                == [#"{"a":"it's","b":"\""}"#]
        )
        #expect(try read("a,b\n\"1,2\n", DelimitedDialect(quote: nil)).records == [#"{"a":"\"1","b":"2"}"#])
        #expect(
            try read(#"a,b"# + "\n" + #""say \"hi\"","c:\\d""#, DelimitedDialect(escape: 0x5C)).records
                == [#"{"a":"say \"hi\"","b":"c:\\d"}"#]
        )
        #expect(try read("report of today\n\na,b\n1,2\n", DelimitedDialect(skip: 1)).records == [#"{"a":"1","b":"2"}"#])
        #expect(try read("size\n5\" disk\n").records == [#"{"size":"5\" disk"}"#])
    }

    @Test func namesAreGivenOrCounted() throws {
        #expect(try read("1,2\n", DelimitedDialect(header: .names(["x", "y"]))).records == [#"{"x":"1","y":"2"}"#])
        #expect(
            try read("\n1,2\n3,4", DelimitedDialect(header: .none)).records == [
                #"{"1":"1","2":"2"}"#, #"{"1":"3","2":"4"}"#,
            ]
        )
    }

    @Test func namesThatRepeatOrAreMissingAreMadeUnique() throws {
        let decoded = try read(" id ,id,,id_2,id,column_3\n1,2,3,4,5,6\n")
        #expect(
            decoded.records
                == [#"{"id":"1","id_3":"2","column_3_2":"3","id_2":"4","id_4":"5","column_3":"6"}"#]
        )
    }

    @Test func aRowOfAnotherLengthIsBrokenUnlessItIsPadded() throws {
        let text = "a,b\n1,2\n3\n4,5,\"6\n7\"\n8,9\n"
        let decoded = try read(text)
        #expect(decoded.records == [#"{"a":"1","b":"2"}"#, #"{"a":"8","b":"9"}"#])
        #expect(
            decoded.broken == [
                BrokenRecord(line: 3, reason: "it has 1 cell, and the file has 2 columns", text: "3"),
                BrokenRecord(line: 4, reason: "it has 3 cells, and the file has 2 columns", text: "4,5,\"6\n7\""),
            ]
        )
        #expect(
            try read(text, DelimitedDialect(ragged: .pad)).records == [
                #"{"a":"1","b":"2"}"#, #"{"a":"3"}"#, #"{"a":"4","b":"5","_more":["6\n7"]}"#, #"{"a":"8","b":"9"}"#,
            ]
        )
    }

    @Test func textBehindAQuoteBreaksItsRow() throws {
        let decoded = try read("a,b\n\"x\"y,2\n\"3\" ,4\n")
        #expect(decoded.records == [#"{"a":"3","b":"4"}"#])
        #expect(
            decoded.broken == [
                BrokenRecord(line: 2, reason: "it has text after the quote that ends a cell", text: "\"x\"y,2")
            ]
        )
    }

    @Test func blanksBeforeAQuoteAreNothing() throws {
        #expect(
            try read("id, \"name\", \"size\"\n1, \"Smith, Ann\",  2 \n").records
                == [#"{"id":"1","name":"Smith, Ann","size":"  2 "}"#]
        )
    }

    @Test func aBrokenHeaderIsAFault() {
        let reason = "the header cannot be read: it has text after the quote that ends a cell"
        #expect(
            Decoded.fault("\"id\"x,name\n1,2\n", DelimitedText()) == DecodingFault(.malformed, reason, line: 1)
        )
    }

    @Test func theFirstLineEndDecidesAboutReturns() throws {
        #expect(try read("a\n1\r2\n3\n").records == [#"{"a":"1\r2"}"#, #"{"a":"3"}"#])
        #expect(try read("a\r\n1\r2\r\n\r3").records == [#"{"a":"1\r2"}"#, #"{"a":"\r3"}"#])
        #expect(try read("a\r1\r\n2\r").records == [#"{"a":"1"}"#, #"{"a":"2"}"#])
    }

    @Test func noMemberIsThereTwice() throws {
        #expect(
            try read("a,_more\n1,2,3\n", DelimitedDialect(ragged: .pad)).records
                == [#"{"a":"1","_more_2":"2","_more":["3"]}"#]
        )
        #expect(
            try read("1,2\n", DelimitedDialect(header: .names(["a", "a"]))).records == [#"{"a":"1","a_2":"2"}"#]
        )
    }

    @Test(.timeLimit(.minutes(60))) func columnsOfOneNameAreCountedOnce() throws {
        let header = Array(repeating: "a", count: 10_000).joined(separator: ",")
        for _ in 0..<20 {
            let decoded = try Decoded("\(header)\n\(header)\n".utf8, piece: 1 << 20, DelimitedText())
            #expect(decoded.records[0].hasSuffix(#""a_10000":"a"}"#))
        }
    }

    @Test func aHeaderIsLimited() {
        let long = String(repeating: "a", count: 300_000)
        #expect(
            Decoded.fault(long + "\n1\n", DelimitedText())
                == DecodingFault(.overLimit, "the names of the columns have more than 262144 bytes", line: 1)
        )
        #expect(Decoded.fault("a\n1\n", DelimitedText(DelimitedDialect(), DecodingLimits(record: .max))) == nil)
    }

    @Test func jsonInPlaceOfAHeaderIsNoCSV() throws {
        let error = "{\"error\": \"rate limited\"}"
        #expect(Decoded.fault(error, DelimitedText()) == DecodingFault(.otherFormat, "it is JSON"))
        // Without a header, a cell may be anything.
        #expect(
            try read("{\"a\":1};2\n", DelimitedDialect(separator: 0x3B, header: .none)).records
                == [#"{"1":"{\"a\":1}","2":"2"}"#]
        )
    }

    @Test func aQuoteThatDoesNotEndNamesItsLine() {
        #expect(
            Decoded.fault("a,b\n1,2\n\"3\n4\",\"5\n6\n7\n", DelimitedText())
                == DecodingFault(.malformed, "the quote that begins in this line does not end", line: 4)
        )
        let long = "a,b\n1,\"" + String(repeating: "x\n", count: 100)
        #expect(
            Decoded.fault(long, DelimitedText(DelimitedDialect(), DecodingLimits(record: 100)))
                == DecodingFault(
                    .overLimit,
                    "the quote that begins in this line does not end within 100 bytes, the limit of a record",
                    line: 2
                )
        )
    }

    @Test func aRowThatSpansManyPiecesIsRead() throws {
        let cell = String(repeating: "0123456789\n", count: 20_000)
        let decoded = try Decoded("a,b\n1,\"\(cell)\"\n2,3".utf8, piece: 1000, DelimitedText())
        #expect(decoded.records.count == 2)
        #expect(decoded.records[0].count == cell.count + 20_000 + 16)
    }

    @Test func anEmptyFileHasNoRecords() throws {
        for text in ["", "\n", "a,b", "a,b\n", "sep=;\n", "sep"] { #expect(try read(text).records.isEmpty, "\(text)") }
    }
}

extension BrokenRecord {
    init(line: Int, reason: String, text: String) {
        self = Array(text.utf8).withUnsafeBytes { BrokenRecord(line: line, reason: reason, $0) }
    }
}
