import CurlTransport
import OAuth
import PlugCore
import Testing

struct TokenRequestTests {
    private let confidential = ClientIdentity(id: "s6BhdRkqt3", secret: Secret("gX1fBat3bV"), place: .basic)

    /// RFC 6749, section 4.1.3, with the proof of section 2.3.1.
    @Test func theStandardsRequestForACode() throws {
        let proof = TokenRequest.Proof.code(
            Secret("SplxlOBeZQQYbYS6WxSbIA"),
            redirectURI: "https://client.example.com/cb",
            verifier: nil
        )
        let request = TokenRequest(proof, by: confidential, at: try endpoint()).httpRequest()
        #expect(request.method == "POST")
        #expect(request.url == "https://id.example.org/token?tenant=1")
        #expect(request.header("Authorization") == "Basic czZCaGRSa3F0MzpnWDFmQmF0M2JW")
        #expect(request.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(request.header("Accept") == "application/json")
        #expect(
            request.text == """
                grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA\
                &redirect_uri=https%3A%2F%2Fclient.example.com%2Fcb
                """
        )
        // Nobody repeats on its own what can be given only once.
        #expect(request.isSentOnce)
        #expect(request.bodyLimit == 1 << 20)
    }

    @Test func idAndSecretAreEncodedBeforeTheyAreJoined() throws {
        let client = ClientIdentity(id: "a:b c", secret: Secret("%&+£€"), place: .basic)
        let request = TokenRequest(.client, by: client, at: try endpoint()).httpRequest()
        let pair = "a%3Ab+c:%25%26%2B%C2%A3%E2%82%AC"
        #expect(request.header("Authorization") == "Basic \(Base64.encoded(Array(pair.utf8)))")
        #expect(request.text == "grant_type=client_credentials")
    }

    @Test(arguments: [
        (
            TokenRequest.Proof.code(Secret("c"), redirectURI: "http://127.0.0.1:1/callback", verifier: Secret("v")),
            "grant_type=authorization_code&code=c&redirect_uri=http%3A%2F%2F127.0.0.1%3A1%2Fcallback&code_verifier=v"
        ),
        (.refreshToken(Secret("r/+")), "grant_type=refresh_token&refresh_token=r%2F%2B"),
        (.client, "grant_type=client_credentials"),
        (
            .assertion(Secret("a.b.c")),
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion=a.b.c"
        ),
        (
            .deviceCode(Secret("d")),
            "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=d"
        ),
    ])
    func everyGrantHasItsParameters(_ proof: TokenRequest.Proof, _ text: String) throws {
        let client = ClientIdentity(id: "me", secret: Secret("hush"))
        let request = TokenRequest(proof, scope: "a b", by: client, at: try endpoint())
        #expect(request.httpRequest().text == text + "&scope=a+b&client_id=me&client_secret=hush")
        let withoutSecret = TokenRequest(proof, by: ClientIdentity(id: "me"), at: try endpoint())
        #expect(withoutSecret.httpRequest().text == text + "&client_id=me")
        #expect(withoutSecret.httpRequest().header("Authorization") == nil)
        #expect(request.hidden.contains("hush"))
    }

    @Test func parametersGoWhereTheServiceWantsThem() throws {
        let client = ClientIdentity(id: "me", secret: Secret("h\"u"))
        let json = TokenRequest(.client, by: client, at: try endpoint(.json)).httpRequest()
        #expect(json.text == #"{"grant_type":"client_credentials","client_id":"me","client_secret":"h\"u"}"#)
        #expect(json.header("Content-Type") == "application/json")
        let query = TokenRequest(.client, by: client, at: try endpoint(.query)).httpRequest()
        #expect(
            query.url == """
                https://id.example.org/token?tenant=1&grant_type=client_credentials&client_id=me&client_secret=h%22u
                """
        )
        #expect(query.body == [])
        #expect(query.header("Content-Type") == nil)
    }

    @Test func theManifestsParametersAndHeadersGoFirst() throws {
        var endpoint = try endpoint(.form, [Parameter("grant_type", "odd"), Parameter("audience", "x")])
        endpoint.headers = [HTTPHeader("accept", "*/*"), HTTPHeader("X-Version", "2")]
        let request = TokenRequest(.client, by: ClientIdentity(id: "me"), at: endpoint).httpRequest()
        #expect(request.text == "grant_type=odd&client_id=me&audience=x")
        #expect(request.header("Accept") == nil)
        #expect(request.header("accept") == "*/*")
        #expect(request.header("X-Version") == "2")
    }

    @Test func nothingPrintsASecret() throws {
        let client = ClientIdentity(id: "me", secret: Secret("hush"), place: .basic)
        let request = TokenRequest(.refreshToken(Secret("r3fr3sh")), by: client, at: try endpoint())
        #expect(!"\(request)".contains("hush"))
        #expect(!"\(request)".contains("r3fr3sh"))
    }
}
