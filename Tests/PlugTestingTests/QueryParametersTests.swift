import Testing

@testable import PlugTesting

struct QueryParametersTests {
    @Test func namesAndValuesAreDecoded() {
        let parameters = QueryParameters("a%20b=c+d%2B&a%20b=&e")
        #expect(parameters.names == ["a b", "e"])
        #expect(parameters.values(of: "a b") == ["c d+", ""])
    }

    /// `%+A` once was a line feed, and `%4` at the end a control character.
    @Test func brokenCodesStayAsTheyAre() {
        #expect(QueryParameters("a=%+A&a=%4").values(of: "a") == ["% A", "%4"])
    }
}
