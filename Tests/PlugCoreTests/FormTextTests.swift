import PlugCore
import Testing

struct FormTextTests {
    /// RFC 6749, appendix B.
    @Test func theStandardsExample() {
        #expect(FormText.encode(" %&+£€") == "+%25%26%2B%C2%A3%E2%82%AC")
        #expect(FormText.decode("+%25%26%2B%C2%A3%E2%82%AC").map { $0.map(\.name) } == [" %&+£€"])
    }

    @Test func whatIsWrittenIsReadBack() throws {
        let fields = [("a b", "c=d&e"), ("", "x"), ("~*-._", "\u{0}\u{7F}é\n"), ("a b", "")]
        let text = FormText.encode(fields.map { (name: $0.0, value: $0.1) })
        #expect(text == "a+b=c%3Dd%26e&=x&%7E*-._=%00%7F%C3%A9%0A&a+b=")
        let read = try #require(FormText.decode(text))
        #expect(read.map(\.name) == fields.map(\.0))
        #expect(read.map(\.value) == fields.map(\.1))
    }

    @Test func emptyPiecesAreNoFields() throws {
        #expect(FormText.decode("")?.count == 0)
        let fields = try #require(FormText.decode("&&a&b=c=d&"))
        #expect(fields.map { "\($0.name):\($0.value)" } == ["a:", "b:c=d"])
    }

    @Test(arguments: ["a=%", "a=%4", "%zz=1", "a=%FF"]) func brokenCodesAreRefused(text: String) {
        #expect(FormText.decode(text) == nil)
    }
}
