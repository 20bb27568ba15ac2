import LosslessJSON
import Testing

@testable import Decoding

struct HTMLTablesTests {
    private static func rows(_ text: String) throws -> [String] {
        let whole = try Decoded(Array(text.utf8), piece: 60_000, HTMLTables()).records
        for piece in [1, 3, 7] { #expect(try Decoded(Array(text.utf8), piece: piece, HTMLTables()).records == whole) }
        return whole
    }

    @Test func rowsAreObjectsByTheNamesOfTheFirstOne() throws {
        let page = """
            <!DOCTYPE html><html><head><style>td > p {}</style><script>if (a > b) "<td>"</script></head><body><h1>Export</h1>
            <table><thead><tr><th>Name<th> Last  seen </tr></thead>
            <tr><td>Ada &amp; Co<td><a href="https://x.example/?a=1&amp;b=2">10:00<br>UTC</a></tr>
            <tr><td>Zoë</td></tr><tr><td></td></tr></table>
            <p>Between</p>
            <table><tr><td>Name</td><td></td><td>Name</td></tr><tr><td>1</td><td>2</td><td>3</td><td>4</td></tr></table>
            """
        #expect(
            try Self.rows(page) == [
                #"{"Name":"Ada & Co","Last seen":"10:00 UTC","_table":1,"_links":["https://x.example/?a=1&b=2"]}"#,
                #"{"Name":"Zoë","Last seen":"","_table":1,"_links":[]}"#,
                #"{"Name":"1","column_2":"2","Name_2":"3","_more":["4"],"_table":2,"_links":[]}"#,
            ]
        )
    }

    @Test func aTableInsideOfACellIsOneOfItsOwn() throws {
        let page =
            "<table><tr><th>a</th></tr><tr><td>x<table><tr><th>b</th></tr><tr><td>y</td></tr></table>z</td></tr></table>"
        #expect(try Self.rows(page) == [#"{"b":"y","_table":2,"_links":[]}"#, #"{"a":"xz","_table":1,"_links":[]}"#])
    }

    @Test func whatIsNoTableIsNothing() throws { #expect(try Self.rows("<p>a</p><td>b</td>") == []) }

    @Test(arguments: [
        ("x <i>y</i> ", "a row is longer than the limit of 4194304 bytes"),
        ("x ", "there are more than 4194304 bytes without a tag"),
    ])
    func aRowOverTheLimitIsAFault(_ text: String, _ reason: String) {
        let page = "<table><tr><th>a</th></tr><tr><td>" + String(repeating: text, count: 3 << 20)
        let fault = DecodingFault(.overLimit, reason)
        #expect(throws: fault) { try Decoded(Array(page.utf8), piece: 60_000, HTMLTables()) }
    }
}
