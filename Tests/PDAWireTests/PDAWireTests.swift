import LosslessJSON
import PDAWire
import PlugCore
import Testing

struct PDARouteTests {
    @Test func aDataPathIsWrittenAsItStands() throws {
        let path = try #require(DataPath(namespace: "spotify", endpoint: "feed//a/"))
        #expect(PDARoute.data(path) == "/api/v2.6/data/spotify/feed//a/")
        #expect(PDARoute.data(path, skipErrors: true) == "/api/v2.6/data/spotify/feed//a/?skipErrors=true")
    }

    @Test func anApplicationIDStaysOneSegment() {
        #expect(PDARoute.setUp("a/b c") == "/api/v2.6/applications/a%2Fb%20c/setup")
    }
}

struct PDAFailureTests {
    @Test func readsTheApplicationForm() throws {
        let body = try JSONValue(parsing: #"{"message":"Bad Request","cause":"Duplicate data - Duplicate data"}"#)
        let failure = try #require(PDAFailure(body: body))
        #expect(failure == PDAFailure(.application, title: "Bad Request", cause: PDACause.duplicate))
        #expect(failure.isDuplicate)
    }

    @Test func readsTheFrameworkFormAlsoWithAnObject() throws {
        let text = #"{"error":"Bad Request","message":"Invalid Json: x"}"#
        #expect(
            PDAFailure(body: try JSONValue(parsing: text))
                == PDAFailure(.framework, title: "Bad Request", cause: "Invalid Json: x")
        )
        let object = try JSONDocument(bytes: Array(#"{"error":"Bad Request","message":{"obj":[{"msg":["m"]}]}}"#.utf8))
        #expect(PDAFailure(body: object.root)?.cause == #"{"obj":[{"msg":["m"]}]}"#)
    }

    @Test func anotherDatabaseErrorIsNoDuplicate() {
        let failure = PDAFailure(.application, title: "Bad Request", cause: PDACause.notInsertable)
        #expect(!failure.isDuplicate)
    }

    @Test(arguments: [#"{"message":"All records deleted"}"#, "[]", "null", #"{"error":1,"message":"x"}"#])
    func otherBodiesAreNoFailure(text: String) throws {
        #expect(PDAFailure(body: try JSONValue(parsing: text)) == nil)
    }
}

struct TokenClaimsTests {
    private func token(_ payload: String) -> String { "e30.\(Base64URL.encode(Array(payload.utf8))).c2ln" }

    @Test func readsAnApplicationsClaims() throws {
        let payload =
            #"{"iss":"bob.hat.org:9000","sub":"1-x","iat":1700000000,"exp":1702592000,"jti":"ab","application":"a","applicationVersion":"1.0.0"}"#
        let claims = try #require(TokenClaims(token: token(payload)))
        #expect(claims.issuer == "bob.hat.org:9000")
        #expect(claims.application == "a")
        #expect(claims.applicationVersion == "1.0.0")
        #expect(claims.subject == "1-x")
        #expect(claims.issuedAt == 1_700_000_000)
        #expect(claims.expires == 1_702_592_000)
        #expect(TokenClaims(payload: claims.payload) == claims)
    }

    @Test func idleBeginsThreeDaysAfterIssue() throws {
        let claims = try #require(TokenClaims(token: token(#"{"iss":"a","iat":1000,"exp":1010}"#)))
        #expect(!claims.isIdle(at: 1000 + 259_199))
        #expect(claims.isIdle(at: 1000 + 259_200))
        #expect(!claims.isExpired(at: 1009))
        #expect(claims.isExpired(at: 1010))
    }

    @Test(arguments: [
        #"{"iss":"a","iat":9223372036854775807}"#, #"{"iss":"a","iat":-1}"#, #"{"iss":"a","iat":1,"exp":1e400}"#,
        #"{"iss":"a","iat":1,"exp":253402300800}"#, #"{"iss":"a","iat":1,"exp":"soon"}"#,
    ])
    func timesThatNoCalendarHasAreNoClaims(payload: String) { #expect(TokenClaims(token: token(payload)) == nil) }

    @Test(arguments: ["", "a.b", "a.b.c.d", "e30.e30.x", "e30.!!.x", "e30.W10.x"])
    func otherTextsAreNoToken(text: String) { #expect(TokenClaims(token: text) == nil) }

    @Test func base64HasNoPaddingAndNoStrayBits() {
        for count in 0..<40 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 37 + 200) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        }
        #expect(Base64URL.encode([0xFB, 0xFF]) == "-_8")
        #expect(Base64URL.decode("-_9") == nil)
        #expect(Base64URL.decode("-_8=") == nil)
        #expect(Base64URL.decode("A") == nil)
    }
}

struct PDARecordTests {
    @Test func writesAndReadsAnEcho() throws {
        var bytes: [UInt8] = []
        PDARecord.write(endpoint: "a/b", recordID: "id", data: Array(#"{"x":1.10}"#.utf8), links: [], to: &bytes)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"endpoint":"a/b","recordId":"id","data":{"x":1.10},"links":[]}"#
        )
        let document = try JSONDocument(bytes: bytes)
        let records = try #require(PDARecord.records(in: document.root))
        #expect(records.map(\.endpoint) == ["a/b"])
        #expect(records.map(\.recordID) == ["id"])
        #expect(records[0].data.slice == Array(#"{"x":1.10}"#.utf8))
        #expect(records[0].links?.count == 0)
    }

    @Test func anArrayWithSomethingElseIsNoRecords() throws {
        #expect(PDARecord.records(in: try JSONDocument(bytes: Array("[1]".utf8)).root) == nil)
        #expect(PDARecord.records(in: try JSONDocument(bytes: Array("[]".utf8)).root)?.count == 0)
    }
}
