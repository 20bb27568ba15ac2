import LosslessJSON
import PlugCore
import Testing

@testable import PDASandbox

struct FormTests {
    private func form(_ json: String) throws -> RecordForm {
        let document = try JSONDocument(bytes: Array(json.utf8))
        var former = RecordFormer()
        return document.withCursor { former.form($0, 0) }
    }

    @Test(arguments: [
        ["1", "1.0", "1.00", "1e0", "10e-1", "0.1E+1"], ["100", "1e2", "100.0"], ["0", "-0", "0.0", "0e99", "-0.0e-5"],
        ["100000000000000000000000", "1e23", "1.0e+23"], ["0.00001", "1e-5", "10e-6"],
        ["12345678901234567890.1230", "12345678901234567890.123"], ["-10000000000000000000", "-1e19"],
        ["99999999999999999990", "9999999999999999999e1"], ["1e400", "10e399"],
        [#""\u00e9\/""#, #""é/""#], [#"{"a":1,"a":2}"#, #"{"a":2}"#], ["[1, 2]", "[1.0,2]"],
    ]) func equalValuesHashAlike(texts: [String]) throws {
        let hashes = Set(try texts.map { try form($0).hash })
        #expect(hashes.count == 1)
    }

    @Test func differentValuesHashApart() throws {
        let texts = [
            "1", "10", "-1", "0.1", "0.01", "1e20", "1e21", "1e22", #""1""#, "[1]", "9007199254740993",
            "9007199254740992", "null",
            #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, #""e\u0301""#, #""é""#, #""a\u0000""#, #""a""#,
        ]
        #expect(Set(try texts.map { try form($0).hash }).count == texts.count)
    }

    @Test(arguments: [
        (#"{"bb":1,"a":2,"aaa":{"d":1,"c":2},"ab":3}"#, #"{"a":2,"ab":3,"bb":1,"aaa":{"c":2,"d":1}}"#),
        (#"{"b":1,"a":0,"b":[ ]}"#, #"{"a":0,"b":[]}"#),
        (#"{"\u0000":1,"":2,"é":3,"z":4}"#, #"{"":2,"z":4,"é":3}"#),
        (#" "\u001f\u007f\b" "#, "\"\\u001f\u{7F}\\b\""),
    ]) func storedInTheDatabasesOrder(sent: String, stored: String) throws {
        #expect(try form(sent).stored == stored)
    }

    @Test func numbersBeyondTheDatabaseAreRefused() throws {
        #expect(!(try form("1e131071").isRefused))
        #expect(try form("1e131072").isRefused)
        #expect(!(try form("0e99999999999999999999").isRefused))
    }

    @Test func timestampsAreCivil() {
        #expect(Timestamp.text(milliseconds: 0) == "1970-01-01T00:00:00.000Z")
        #expect(Timestamp.text(milliseconds: 951_782_400_120) == "2000-02-29T00:00:00.120Z")
        #expect(Timestamp.text(milliseconds: -1) == "1969-12-31T23:59:59.999Z")
    }

    @Test func idsOfRecordsBeginWithTheirTime() {
        let ids = [1_700_000_000_000, 1_700_000_000_001, 1_800_000_000_000].map { UUIDText.random(at: $0) }
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy(UUIDText.isValid))
        #expect(ids[0].hasPrefix("018bcfe5-6800-7"))
        #expect(Set((0..<100).map { _ in UUIDText.random(at: 1) }).count == 100)
    }
}
