import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import Testing

struct TokenAnswerTests {
    /// RFC 6749, section 5.1.
    @Test func theStandardsAnswer() throws {
        let body = """
            {"access_token":"2YotnFZFEjr1zCsicMWpAA","token_type":"example","expires_in":3600,
             "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA","example_parameter":"example_value"}
            """
        let expected = TokenAnswer(
            accessToken: Secret("2YotnFZFEjr1zCsicMWpAA"),
            refreshToken: Secret("tGzv3JOkF0XG5Qx2TlKWIA"),
            expires: now + 3600 * second,
            scopes: nil
        )
        #expect(try read(response(body)) == expected)
        #expect(!"\(expected)".contains("2Yotn"))
    }

    @Test(arguments: [
        ("3600", 3600), (#""3600""#, 3600), (#"" 3600""#, 3600), ("3599.5", 3599.5), ("1", 1), ("0.5", 0.5),
        ("315360000", 315_360_000), ("3.6e3", 3600),
        // Moments: seconds and milliseconds since 1970, and dates.
        ("1795003600", 3600), (#""1795003600""#, 3600), ("1795003600000", 3600),
        (#""2026-11-18T12:06:40Z""#, 3600), (#""Wed, 18 Nov 2026 12:06:40 GMT""#, 3600),
    ])
    func aLifetimeIsANumberATextOrADate(json: String, seconds: Double) throws {
        let answer = try read(response(#"{"access_token":"a","expires_in":\#(json)}"#))
        #expect(answer.expires == now + Int64(seconds * 1_000_000))
    }

    @Test(arguments: [
        "0", "-1", #""0""#, #""-1""#, "null", #""""#, #""never""#, "true", "[]", "{}", "1e300", "1e400", #""NaN""#,
        #""inf""#, "-1e400", "1500000000", #""1999-01-01""#, "99999999999999999999",
    ])
    func aTokenThatWasJustGivenIsNotDeadWhateverItsLifetime(json: String) throws {
        #expect(try read(response(#"{"access_token":"a","expires_in":\#(json)}"#)).expires == nil)
        #expect(try read(response(#"{"access_token":"a"}"#)).expires == nil)
    }

    @Test(arguments: [
        (#""a b""#, ["a", "b"]), (#""a,b""#, ["a", "b"]), (#"["a","b"]"#, ["a", "b"]), (#""b  a b""#, ["b", "a"]),
        (#""""#, nil), ("null", nil), ("7", nil), ("[]", nil),
    ])
    func scopesAreReadInTheirSpellings(json: String, scopes: [String]?) throws {
        let answer = try read(response(#"{"access_token":"a","scope":\#(json)}"#), TokenReading(asked: ["a", "b"]))
        #expect(answer.scopes == scopes)
    }

    @Test func aCommaSeparatesUnlessAScopeHasOne() throws {
        let body = #"{"access_token":"a","scope":"read,activity:read"}"#
        let comma = TokenReading(separator: ",", asked: ["read", "activity:read"])
        #expect(try read(response(body), comma).scopes == ["read", "activity:read"])
        #expect(try read(response(body), TokenReading(asked: ["read,activity:read"])).scopes == ["read,activity:read"])
        #expect(ScopeList.missing(from: ["a", "x"], of: ["b", "a", "A"]) == ["b", "A"])
    }

    @Test(arguments: ["application/x-www-form-urlencoded", "text/plain", "text/html"])
    func anOldServiceAnswersWithAForm(type: String) throws {
        let body = "access_token=a%2Bb&expires_in=60&scope=user%2Cgist&token_type=bearer\n"
        let expected = TokenAnswer(
            accessToken: Secret("a+b"),
            refreshToken: nil,
            expires: now + 60 * second,
            scopes: ["user", "gist"]
        )
        #expect(try read(response(body, type: type)) == expected)
    }

    @Test func anOddServiceIsReadByPrograms() throws {
        func at(_ path: String...) -> TokenReading.Selector {
            { answer in path.reduce(answer.value) { $0?[$1] } }
        }
        let reading = TokenReading(
            accessToken: at("data", "token"),
            refreshToken: at("data", "again"),
            expires: at("data", "until"),
            scope: at("data", "rights")
        )
        let body = #"{"data":{"token":"t","again":"r","until":"2026-11-18T11:07:40Z","rights":["x"]}}"#
        let expected = TokenAnswer(
            accessToken: Secret("t"),
            refreshToken: Secret("r"),
            expires: now + 60 * second,
            scopes: ["x"]
        )
        #expect(try read(response(body), reading) == expected)
        struct Failed: Error {}
        let failing = TokenReading(accessToken: { _ in throw Failed() })
        #expect(failure(response(body), failing)?.kind == .unusable)
    }

    @Test(arguments: [
        ("<!DOCTYPE html><p>secret-token-1234</p>", "it is a web page (HTML or XML), not JSON"),
        ("", "it is empty"), (" \n", "it is empty"),
        ("secret", "it is neither JSON nor a form"), (#"{"access_token":"secret""#, "it is neither JSON nor a form"),
        ("access_token=a&access_token=secret", "it is neither JSON nor a form"),
        ("access_token=%FF", "it is neither JSON nor a form"),
    ])
    func whatIsNoAnswerIsSaidWithoutQuotingIt(body: String, reason: String) {
        let failure = failure(response(body))
        #expect(failure == TokenFailure(.unreadable, reason, status: 200))
        #expect(failure?.plugError(from: "id.example.org").description.contains("secret") == false)
    }

    @Test(arguments: [
        (#"{"token":"secret"}"#, "it has no access token"), (#"{"access_token":""}"#, "it has no access token"),
        (#"{"access_token":null}"#, "it has no access token"), ("[]", "it has no access token"),
        (#"{"access_token":7}"#, "its access token is of type number, not a text"),
        (#"{"access_token":"a\nb"}"#, "its access token has characters that tokens cannot have"),
        (#"{"access_token":"é"}"#, "its access token has characters that tokens cannot have"),
        (
            #"{"access_token":"secret","token_type":"DPoP"}"#,
            "its token needs a proof with a key of its own ('dpop'), which plughost does not support"
        ),
    ])
    func aTokenThatCannotBeUsedIsSaidWithoutQuotingIt(body: String, reason: String) {
        let failure = failure(response(body))
        #expect(failure == TokenFailure(.unusable, reason, status: 200))
        #expect(failure?.plugError(from: "id.example.org").description.contains("secret") == false)
    }

    @Test func whatIsNotNeededIsLeftOutAndTold() throws {
        struct Failed: Error {}
        let reading = TokenReading(expires: { _ in throw Failed() }, scope: { _ in throw Failed() }, asked: ["x"])
        let body = #"{"access_token":"a","refresh_token":["secret"]}"#
        let expected = TokenAnswer(
            accessToken: Secret("a"),
            refreshToken: nil,
            expires: nil,
            scopes: nil,
            unread: [
                "its refresh token is of type array, not a text", "the program that finds the end failed on it",
                "the program that finds the scope failed on it",
            ]
        )
        #expect(try read(response(body), reading) == expected)
        #expect(try read(response(#"{"access_token":"a","refresh_token":17}"#)).refreshToken == Secret("17"))
    }

    @Test(arguments: [
        (#""soon""#, ["its end is neither a number of seconds nor a date"]),
        ("true", ["its end is neither a number of seconds nor a date"]),
        ("[3600]", ["its end is neither a number of seconds nor a date"]),
        ("null", []), (#""""#, []), ("0", []), ("-1", []), (#"" 60""#, []), (#""2020-01-01T00:00:00Z""#, []),
    ])
    func anEndThatIsNoTimeIsTold(end: String, unread: [String]) throws {
        #expect(try read(response(#"{"access_token":"a","expires_in":\#(end)}"#)).unread == unread)
        let refresh = try read(response(#"{"access_token":"a","refresh_token_expires_in":\#(end)}"#))
        #expect(refresh.unread == unread.map { $0.replacing("its end", with: "its end of the refresh token") })
    }

    @Test(arguments: [
        #"{"access_token":7,"refresh_token":"next"}"#, #"{"refresh_token":"next"}"#,
        #"{"access_token":"a","token_type":"DPoP","refresh_token":"next"}"#,
    ])
    func aRefreshTokenIsSavedFromAnAnswerThatIsOtherwiseOfNoUse(body: String) {
        #expect(failure(response(body))?.refreshToken == Secret("next"))
    }

    @Test func anAnswerIsBounded() {
        let large = #"{"access_token":"a","x":""# + String(repeating: "y", count: 1 << 20) + "\"}"
        #expect(failure(response(large))?.kind == .unreadable)
        let deep =
            #"{"access_token":"a","x":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}"
        #expect(failure(response(deep))?.kind == .unreadable)
    }

    @Test func otherMembersAndMarksAreNoHindrance() throws {
        let body = "\u{FEFF}" + #"{"ok":true,"error":null,"access_token":"a","team":{"id":12345678901234567890}}"#
        #expect(try read(response(body, type: "text/html")).accessToken == Secret("a"))
    }
}
