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

    @Test func aCellThatSpansColumnsOrRowsCountsInEach() throws {
        let page = """
            <table><tr><th>Day<th>Song<th>Artist<th>Note</tr>
            <tr><td rowspan=3>Monday<td colspan="2">Unknown<td rowspan=2>a</tr>
            <tr><td>Água<td>Ana</tr><tr><td>Mar</tr><tr><td>Tuesday<td>Rio<td>Rui<td></tr></table>
            """
        #expect(
            try Self.rows(page) == [
                #"{"Day":"Monday","Song":"Unknown","Artist":"Unknown","Note":"a","_table":1,"_links":[]}"#,
                #"{"Day":"Monday","Song":"Água","Artist":"Ana","Note":"a","_table":1,"_links":[]}"#,
                #"{"Day":"Monday","Song":"Mar","Artist":"","Note":"","_table":1,"_links":[]}"#,
                #"{"Day":"Tuesday","Song":"Rio","Artist":"Rui","Note":"","_table":1,"_links":[]}"#,
            ]
        )
    }

    @Test func aCellReachesToTheRightOfARowThatEndsBefore() throws {
        let page = "<table><tr><th>a<th>b<th>c<tr><td>1<td>2<td rowspan=2>3<tr><td>4<tr><td>5</table>"
        #expect(
            try Self.rows(page) == [
                #"{"a":"1","b":"2","c":"3","_table":1,"_links":[]}"#,
                #"{"a":"4","b":"","c":"3","_table":1,"_links":[]}"#,
                #"{"a":"5","b":"","c":"","_table":1,"_links":[]}"#,
            ]
        )
    }

    @Test func severalRowsOfHeadingsNameTheColumnsTogether() throws {
        let page = """
            <table><thead><tr><th rowspan=2>Name</th><th colspan=2>Money</th></tr><tr><th>in</th><th>out</th></tr></thead>
            <tbody><tr><td rowspan=0>Ada</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody>
            <tbody><tr><th>Zoë</th><th>5</th><th>6</th></tr></tbody></table>
            """
        #expect(
            try Self.rows(page) == [
                #"{"Name":"Ada","Money in":"1","Money out":"2","_table":1,"_links":[]}"#,
                #"{"Name":"Ada","Money in":"3","Money out":"4","_table":1,"_links":[]}"#,
                #"{"Name":"Zoë","Money in":"5","Money out":"6","_table":1,"_links":[]}"#,
            ]
        )
    }

    @Test func theRowsOfAHeadThatDoesNotEndAreRows() throws {
        let page = "<table><thead><tr><th>a</th></tr><tr><td>1</td></tr><tr><th>2</th></tr></table>"
        #expect(try Self.rows(page) == [#"{"a":"1","_table":1,"_links":[]}"#, #"{"a":"2","_table":1,"_links":[]}"#])
    }

    @Test(arguments: [
        (#"<td colspan="600">1<td colspan=600>2"#, "a row has more than 1000 cells"),
        ("<td colspan=1000>" + String(repeating: "x", count: 5000), "a row is longer than the limit of 4194304 bytes"),
    ])
    func whatSpansTooMuchIsAFault(_ cells: String, _ reason: String) {
        let page = "<table><tr><th>a</th></tr><tr>" + cells + "</tr></table>"
        let fault = DecodingFault(.overLimit, reason)
        #expect(throws: fault) { try Decoded(Array(page.utf8), piece: 60_000, HTMLTables()) }
    }

    @Test("a cell, or a name, that is repeated in every row makes no gigabytes of a page")
    func growth() {
        let wide = String(repeating: "x", count: 4000)
        let rows = String(repeating: "<tr><td>1", count: 4000)
        let fault = DecodingFault(.overLimit, "its rows become more than 64 times as large as the page")
        for head in ["<tr><th>a<tr><td colspan=900 rowspan=0>\(wide)", "<tr><th>\(wide)<th>\(wide)"] {
            #expect(throws: fault) {
                try Decoded(Array("<table>\(head)\(rows)</table>".utf8), piece: 60_000, HTMLTables())
            }
        }
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
