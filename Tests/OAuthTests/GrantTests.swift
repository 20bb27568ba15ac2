import OAuth
import PlugCore
import Testing

struct GrantTests {
    private let answer = TokenAnswer(
        accessToken: Secret("a\"1"),
        refreshToken: Secret("r1"),
        expires: now + 3600 * second,
        scopes: nil
    )

    @Test func aGrantIsReadBackAsItWasWritten() throws {
        let grant = Grant(answer, asked: ["x", "y"], now: now)
        #expect(try Grant(decoding: grant.encoded) == grant)
        #expect(
            String(decoding: grant.encoded, as: UTF8.self) == """
                {"access_token":"a\\"1","refresh_token":"r1","expires":1795003600000000,"scopes":["x","y"],\
                "obtained":1795000000000000,"since":1795000000000000}
                """
        )
        let bare = Grant(
            TokenAnswer(accessToken: Secret("a"), refreshToken: nil, expires: nil, scopes: []),
            asked: ["x"],
            now: 7
        )
        #expect(try Grant(decoding: bare.encoded) == bare)
        #expect(!"\(grant)".contains("r1"))
    }

    @Test func whatIsKeptBesideTheTokenStaysUntilAnAnswerSaysOtherwise() throws {
        var first = answer
        first.values = ["b": "2", "a": "https://a.example"]
        let grant = Grant(first, asked: [], now: now)
        #expect(try Grant(decoding: grant.encoded) == grant)
        #expect(
            String(decoding: grant.encoded, as: UTF8.self).hasSuffix(
                #""since":1795000000000000,"values":{"a":"https://a.example","b":"2"}}"#
            )
        )
        var second = answer
        second.values = ["a": "https://c.example"]
        #expect(grant.renewed(by: second, now: now).values == ["a": "https://c.example", "b": "2"])
    }

    @Test(arguments: ["", "{}", "[]", "null", #"{"access_token":"a","scopes":[],"obtained":1}"#, "{"])
    func otherBytesAreNoGrant(text: String) {
        #expect(throws: Grant.Unreadable.self) { try Grant(decoding: Array(text.utf8)) }
    }

    @Test func whatARefreshDoesNotSayStays() {
        let grant = Grant(answer, asked: ["x", "y"], now: now)
        let plain = TokenAnswer(accessToken: Secret("a2"), refreshToken: nil, expires: nil, scopes: nil)
        let renewed = grant.renewed(by: plain, now: now + second)
        #expect(renewed.accessToken == Secret("a2"))
        #expect(renewed.refreshToken == Secret("r1"))
        #expect(renewed.expires == nil)
        #expect(renewed.scopes == ["x", "y"])
        #expect(renewed.obtained == now + second)
        #expect(renewed.since == now)
        let rotated = TokenAnswer(accessToken: Secret("a2"), refreshToken: Secret("r2"), expires: nil, scopes: ["x"])
        #expect(grant.renewed(by: rotated, now: now).refreshToken == Secret("r2"))
        #expect(grant.renewed(by: rotated, now: now).scopes == ["x"])
    }

    @Test(arguments: [
        (3600, nil, 300), (600, nil, 60), (1, nil, 0), (3600, Duration.seconds(60), 60), (3600, .zero, 0),
        // A token is of some use, whatever is wanted.
        (60, .seconds(300), 30), (7200, .seconds(86_400), 3600),
    ])
    func aTokenIsRenewedBeforeItsEnd(life: Int64, before: Duration?, seconds: Int64) {
        var grant = Grant(answer, asked: [], now: now)
        grant.expires = now + life * second
        let expected = life == 1 ? now + second - second / 10 : now + (life - seconds) * second
        #expect(grant.renewal(before: before) == expected)
        grant.expires = nil
        #expect(grant.renewal(before: before) == nil)
    }
}
