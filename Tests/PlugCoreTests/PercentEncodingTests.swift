import PlugCore
import Testing

struct PercentEncodingTests {
    @Test func everythingButUnreservedCharactersIsEncoded() {
        #expect(PercentEncoding.segment("a/b c?ü%~-._") == "a%2Fb%20c%3F%C3%BC%25~-._")
        #expect(PercentEncoding.encode("/a b/c".utf8, keepingSlashes: true) == "/a%20b/c")
    }

    @Test func whatIsEncodedIsReadBack() {
        let text = "pass%+&=/ä\u{1F600} \n"
        #expect(PercentEncoding.decode(PercentEncoding.segment(text)) == text)
    }

    /// A sign is no digit, and one digit is no code.
    @Test(arguments: ["%", "%4", "%+A", "%-1", "%4g", "%%%"]) func brokenCodesStayAsTheyAre(text: String) {
        #expect(PercentEncoding.decode(text) == text)
    }

    @Test func aPlusIsASpaceInQueries() {
        #expect(PercentEncoding.decode("a+b%2B%2") == "a+b+%2")
        #expect(PercentEncoding.decode("a+b%2B%2", plusIsSpace: true) == "a b+%2")
        #expect(PercentEncoding.decode("%+A", plusIsSpace: true) == "% A")
    }
}
