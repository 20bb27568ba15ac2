import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import Testing

struct DeviceTests {
    /// RFC 8628, section 3.2.
    private static let example = """
        {"device_code":"GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS","user_code":"WDJB-MJHT",
         "verification_uri":"https://example.com/device",
         "verification_uri_complete":"https://example.com/device?user_code=WDJB-MJHT","expires_in":1800,"interval":5}
        """

    private func authorization(_ body: String = Self.example) throws -> DeviceAuthorization {
        try DeviceAuthorization(response(body), now: now, hiding: HiddenTexts())
    }

    private func response(_ body: String) -> HTTPResponse { OAuthTests.response(200, body) }

    @Test func theStandardsExample() throws {
        let authorization = try authorization()
        #expect(authorization.deviceCode == Secret("GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS"))
        #expect(authorization.userCode == "WDJB-MJHT")
        #expect(authorization.address.description == "https://example.com/device")
        #expect(authorization.completeAddress?.description == "https://example.com/device?user_code=WDJB-MJHT")
        #expect(authorization.ends == now + 1800 * second)
        #expect(authorization.interval == .seconds(5))
        let request = DeviceRequest(scope: "a b", by: ClientIdentity(id: "1406020730"), at: try endpoint())
        #expect(request.httpRequest().text == "scope=a+b&client_id=1406020730")
        let proven = ClientIdentity(id: "me", secret: Secret("s"), place: .basic)
        let basic = DeviceRequest(by: proven, at: try endpoint()).httpRequest()
        #expect(basic.text == "client_id=me")
        #expect(basic.header("Authorization") == "Basic bWU6cw==")
    }

    @Test(arguments: [
        (#""verification_url":"https://e.com/d""#, 600, 5),
        (#""verification_uri":"https://e.com/d","expires_in":"60","interval":"7""#, 60, 7),
        (#""verification_uri":"https://e.com/d","expires_in":-1,"interval":0"#, 600, 5),
        (#""verification_uri":"https://e.com/d","expires_in":1e300,"interval":1e300"#, 86_400, 600),
        (#""verification_uri":"https://e.com/d","expires_in":0.1,"interval":0.1"#, 1, 1),
    ])
    func whatAServiceLeavesOutIsUsual(members: String, life: Int64, interval: Int) throws {
        let authorization = try authorization(#"{"device_code":"d","user_code":"u",\#(members)}"#)
        #expect(authorization.ends == now + life * second)
        #expect(authorization.interval == .seconds(interval))
        #expect(authorization.completeAddress == nil)
    }

    @Test(arguments: [
        "<html>", "{}", #"{"device_code":"d"}"#, #"{"device_code":"d","user_code":"u"}"#,
        #"{"device_code":"","user_code":"u","verification_uri":"https://e.com"}"#,
        #"{"device_code":"d","user_code":"\u001b[2J","verification_uri":"https://e.com"}"#,
        #"{"device_code":"d","user_code":"u","verification_uri":"javascript:alert(1)"}"#,
    ])
    func whatAPersonCannotUseIsNoAnswer(body: String) {
        let failure = #expect(throws: TokenFailure.self) { try authorization(body) }
        #expect(failure?.kind == .unreadable)
    }

    @Test func anErrorOfTheServiceIsTold() {
        let failure = #expect(throws: TokenFailure.self) { try authorization(#"{"error":"unauthorized_client"}"#) }
        #expect(failure?.kind == .wrongClient)
    }

    @Test func pollingSlowsDownAndEnds() throws {
        func told(_ kind: TokenFailure.Kind) -> TokenFailure { TokenFailure(kind, "it refuses") }
        var polling = DevicePolling(try authorization())
        #expect(polling.begin(now: now) == .wait(.seconds(5)))
        #expect(polling.next(after: told(.pending), now: now) == .wait(.seconds(5)))
        #expect(polling.next(after: told(.slowDown), now: now) == .wait(.seconds(10)))
        #expect(polling.next(after: told(.slowDown), now: now) == .wait(.seconds(15)))
        #expect(polling.next(after: told(.pending), now: now) == .wait(.seconds(15)))
        #expect(polling.next(after: told(.passing(after: nil)), now: now) == .wait(.seconds(30)))
        #expect(polling.next(after: told(.passing(after: .seconds(100))), now: now) == .wait(.seconds(100)))
        let lost = TokenFailure(HTTPError(.timedOut, "example.com does not answer"))
        #expect(polling.next(after: lost, now: now) == .wait(.seconds(200)))
        #expect(polling.next(after: lost, now: now) == .wait(.seconds(400)))
        #expect(polling.next(after: lost, now: now) == .wait(.seconds(600)))
        let over = TokenFailure(.expired, "the code was not confirmed in time", code: "expired_token")
        #expect(polling.next(after: told(.pending), now: now + 1200 * second) == .stop(over))
        for kind in [
            TokenFailure.Kind.denied, .expired, .refused, .misdirected, .wrongClient, .dead, .unreadable, .unusable,
        ] {
            var polling = DevicePolling(try authorization())
            #expect(polling.next(after: told(kind), now: now) == .stop(told(kind)))
        }
        let ended = TokenFailure(HTTPError(.cancelled, "the request was cancelled"))
        var cancelled = DevicePolling(try authorization())
        #expect(cancelled.next(after: ended, now: now) == .stop(ended))
    }
}
