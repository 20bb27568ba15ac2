import CurlTransport
import LosslessJSON
import PlugCore
import Signing
import Synchronization
import TestKit
import Testing

@testable import OAuth

/// Consents with OAuth 1.0a, against a service that verifies each signature by itself.
struct OAuth1ConsentTests {
    private static let back = "http://127.0.0.1:4711/callback"

    /// A service with OAuth 1.0a in the process.
    private final class Wire: HTTPSending {
        let service = Watched(OAuth1Service())
        let requests = Mutex<[HTTPRequest]>([])

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
            requests.withLock { $0.append(request) }
            let url = try HTTPURL(request.url)
            let asked = OAuthService.Request(
                method: request.method,
                target: url.path + (url.query.map { "?\($0)" } ?? ""),
                authorization: request.header("Authorization"),
                contentType: request.header("Content-Type"),
                body: request.text
            )
            let host = String(url.origin.dropFirst("http://".count))
            guard case .whole(let status, let headers, let body) = service.change({ $0.answer(asked, host: host) })
            else { throw HTTPError(.cannotConnect, "no answer") }
            let fields = headers.map { header in
                let parts = header.split(separator: ":", maxSplits: 1)
                return HTTPHeader(String(parts[0]), String(parts[1].dropFirst()))
            }
            return HTTPResponse(
                status: status,
                headers: HTTPHeaders(fields),
                body: JSONBuffer(Array(body.utf8)),
                url: request.url
            )
        }
    }

    private func endpoint(_ path: String, _ parameters: [Parameter] = []) throws -> OAuth1Endpoint {
        OAuth1Endpoint(try HTTPURL("http://service.example:8080\(path)"), parameters: parameters)
    }

    private func client(_ wire: Wire, secret: String = "s3cr3t&/ü") throws -> OAuth1Client {
        let consumer = try OAuth1Consumer(.hmacSHA1, key: "consumer", secret: Secret(secret), realm: "a \"b\"")
        return OAuth1Client(consumer, over: wire, clock: MovableClock())
    }

    private func begin(_ wire: Wire, secret: String = "s3cr3t&/ü") async throws -> PendingOAuth1Consent {
        try await client(wire, secret: secret).begin(
            at: endpoint("/request?lang=en", [Parameter("scope", "read list")]),
            authorize: endpoint("/authorize?app=1", [Parameter("name", "my plug"), Parameter("oauth_token", "x")]),
            redirectURI: Self.back
        )
    }

    /// What the browser comes back with.
    private func query(_ wire: Wire, _ pending: PendingOAuth1Consent) async throws -> String {
        let answer = try await wire.send(HTTPRequest(url: pending.url.description, side: .source))
        let location = try #require(answer.headers.first("location"))
        #expect(location.hasPrefix(Self.back + "?"))
        return String(location.dropFirst(Self.back.count + 1))
    }

    @Test func allThreeLegsAreSignedAndGiveAToken() async throws {
        let wire = Wire()
        wire.service.change { $0.wanted = ["scope": "read list", "lang": "en"] }
        var pending = try await begin(wire)
        #expect(
            pending.url.description.hasPrefix("http://service.example:8080/authorize?app=1&name=my%20plug&oauth_token=")
        )
        let proof = try pending.answer(await query(wire, pending), now: MovableClock().now())
        let credentials = try await client(wire).credentials(proof, at: endpoint("/access"))
        #expect(credentials.token.reveal().hasPrefix("token-") && credentials.secret.reveal().hasSuffix("+/="))
        #expect(wire.service.value.signed == ["/request": 1, "/access": 1] && wire.service.value.refusals == [])
        let grant = Grant(credentials, now: now)
        #expect(grant.expires == nil && grant.refreshToken == nil && grant.keepAlive(every: .seconds(9)) { 1 } == nil)
        #expect(try Grant(decoding: grant.encoded) == grant)
        #expect(wire.requests.withLock { $0.filter { $0.method == "POST" }.allSatisfy(\.isSentOnce) })
        // A verifier works once.
        await #expect(throws: TokenFailure.self) { try await client(wire).credentials(proof, at: endpoint("/access")) }
    }

    @Test func aConsentOutlivesItsProcess() async throws {
        let wire = Wire()
        let pending = try await begin(wire)
        let query = try await query(wire, pending)
        var read = try #require(PendingOAuth1Consent(content: pending.content))
        #expect(read.url == pending.url && read.ends == pending.ends && read.redirectURI == Self.back)
        #expect(PendingOAuth1Consent.token(in: query) == pending.token)
        let proof = try read.answer(query, now: MovableClock().now())
        #expect(proof.verifier.reveal().hasPrefix("verifier-"))
        #expect(PendingOAuth1Consent(content: .members(("url", .text("x")))) == nil)
    }

    @Test(
        "an answer to something else ends nothing",
        arguments: [
            "", "oauth_verifier=v", "oauth_token=&oauth_verifier=v", "oauth_token=x&oauth_verifier=v", "denied=x",
            "oauth_token={token}&oauth_token={token}&oauth_verifier=v", "oauth_token={token}x&oauth_verifier=v",
            "oauth_token={token}&denied=x", "oauth_token={token}&oauth_verifier=v&oauth_verifier=w", "oauth_token=%",
        ]
    )
    func foreign(_ query: String) async throws {
        let wire = Wire()
        var pending = try await begin(wire)
        let clock = MovableClock()
        let text = query.replacing("{token}", with: pending.token.reveal())
        #expect(throws: ConsentFailure(.foreign)) { try pending.answer(text, now: clock.now()) }
        let good = "oauth_token=\(pending.token.reveal())&oauth_verifier=v"
        #expect(throws: Never.self) { try pending.answer(good, now: clock.now()) }
        #expect(throws: ConsentFailure(.used)) { try pending.answer(good, now: clock.now()) }
    }

    @Test(arguments: [
        ("denied={token}", ConsentFailure.Kind.denied), ("oauth_token={token}&oauth_problem=user_refused", .denied),
        ("oauth_token={token}&denied={token}", .denied), ("oauth_token={token}", .noCode),
        ("oauth_token={token}&oauth_verifier=", .noCode),
        ("oauth_token={token}&oauth_problem=token_expired&oauth_verifier=v", .refused("it refuses: token_expired")),
    ])
    func whatIsNoConsentEndsIt(_ query: String, _ kind: ConsentFailure.Kind) async throws {
        var pending = try await begin(Wire())
        let text = query.replacing("{token}", with: pending.token.reveal())
        #expect(throws: ConsentFailure(kind)) { try pending.answer(text, now: MovableClock().now()) }
        #expect(!pending.isOpen)
    }

    @Test func anAnswerThatComesTooLateIsNone() async throws {
        var pending = try await begin(Wire())
        let query = "oauth_token=\(pending.token.reveal())&oauth_verifier=v"
        #expect(throws: ConsentFailure(.late)) { try pending.answer(query, now: pending.ends) }
    }

    @Test(
        "what is wrong with an answer is told, without what stands in it",
        arguments: [
            (OAuth1Service.Fault.answer(200, "oauth_token=CANARY&oauth_token_secret=CANARY"), "unusable"),
            (.answer(200, "oauth_token=CANARY&oauth_callback_confirmed=true"), "unusable"),
            (.answer(200, "oauth_token=&oauth_token_secret=CANARY&oauth_callback_confirmed=true"), "unusable"),
            (.answer(200, "oauth_token=a%0Ab&oauth_token_secret=c&oauth_callback_confirmed=true"), "unusable"),
            (.answer(200, "oauth_token=a&oauth_token=CANARY&oauth_token_secret=c"), "unreadable"),
            (.answer(200, "oauth_token=%zz&oauth_token_secret=CANARY"), "unreadable"),
            (.answer(200, "<html>CANARY</html>"), "unusable"), (.answer(200, ""), "unreadable"),
            (.answer(200, #"{"oauth_token":"CANARY"}"#), "unusable"),
            (.answer(401, "CANARY"), "wrongClient"), (.answer(400, "CANARY"), "refused"),
            (.answer(302, ""), "misdirected"), (.answer(404, ""), "misdirected"),
            (.answer(503, ""), "passing(after: nil)"),
            (.answer(401, "oauth_problem=consumer_key_unknown"), "wrongClient"),
            (.answer(400, "oauth_problem=timestamp_refused&oauth_problem_advice=CANARY"), "refused"),
            (.problem(401, "consumer_key_refused"), "wrongClient"), (.problem(400, "parameter_absent"), "refused"),
            (.reset, "unreachable"),
        ]
    )
    func faults(_ fault: OAuth1Service.Fault, _ expected: String) async throws {
        let wire = Wire()
        wire.service.change { $0.faults = [fault] }
        do {
            _ = try await begin(wire)
            Issue.record("it was taken")
        } catch let failure as TokenFailure {
            #expect("\(failure.kind)".hasPrefix(expected), "\(failure)")
            let error = failure.oauth1Error(from: "service.example")
            if fault != .answer(400, "oauth_problem=timestamp_refused&oauth_problem_advice=CANARY") {
                #expect(!"\(failure) \(error.message)".contains("CANARY"))
            }
            #expect(!(error.advice ?? "").contains("oauth2"))
        }
    }

    @Test func aWrongSecretIsTheOperatorsToMend() async throws {
        let wire = Wire()
        await #expect { try await begin(wire, secret: "wrong") } throws: { ($0 as? TokenFailure)?.kind == .wrongClient }
        #expect(wire.service.value.refusals == ["/request: signature"])
    }

    @Test func aRefusedVerifierIsNobodysFaultHere() async throws {
        let wire = Wire()
        var pending = try await begin(wire)
        _ = try await query(wire, pending)
        let query = "oauth_token=\(pending.token.reveal())&oauth_verifier=guessed-verifier"
        let proof = try pending.answer(query, now: MovableClock().now())
        do {
            _ = try await client(wire).credentials(proof, at: endpoint("/access"))
            Issue.record("it was taken")
        } catch let failure as TokenFailure {
            #expect(failure.kind == .refused && !"\(failure)".contains("guessed-verifier"), "\(failure)")
        }
    }
}
