import LosslessJSON
import PDAWire
import PlugCore
import Testing

@testable import PlugRuntime

/// A token goes only to the PDA that issued it, and only a plug's own token is taken.
struct TokenPlaceTests {
    @Test(arguments: [
        ("alice.example", "https://alice.example", true), ("ALICE.example", "https://alice.example", true),
        ("alice.example:443", "https://alice.example", true), ("alice.example", "http://alice.example", true),
        ("alice.example:80", "http://alice.example", true), ("alice.example:8443", "https://alice.example:8443", true),
        ("localhost:24001", "http://127.0.0.1:24001", true), ("127.0.0.1:24001", "http://localhost:24001", true),
        ("[::1]:24001", "http://localhost:24001", true), ("127.0.0.1:25002", "http://127.0.0.1:25060", false),
        ("localhost", "http://127.0.0.1:25060", false), ("alice.example", "https://alice.example:8443", false),
        ("alice.example:80", "https://alice.example", false), ("bob.example", "https://alice.example", false),
        ("127.0.0.2:24001", "http://127.0.0.1:24001", false), ("a.alice.example", "https://alice.example", false),
        ("alice.example.evil.example", "https://alice.example", false), ("", "https://alice.example", false),
        ("alice.example/x", "https://alice.example", false), ("x@alice.example", "https://alice.example", false),
        ("https://alice.example", "https://alice.example", false), ("alice.example?", "https://alice.example", false),
    ])
    func anIssuerIsAPDAByItsNameAndPort(_ issuer: String, _ pda: String, _ isSame: Bool) {
        #expect(TokenIssuer.names(issuer, pda) == isSame)
    }

    /// What a run sends to the PDA, and its end.
    private func end(_ claims: TokenClaims, accepting: Bool) async throws -> [String] {
        let bench = try Bench()
        bench.source.set([#"{"id":1}"#])
        let report = await bench.run {
            $0.token = Secret("e30.\(Base64URL.encode(claims.payload)).c2ln")
            $0.acceptsForeignToken = accepting
        }
        let sent = bench.pda.tokens.isEmpty ? "nothing" : "the token"
        return [report.error?.code.text ?? "done", sent] + bench.warnings.all.filter { $0.hasPrefix("token-") }
    }

    @Test func aForeignTokenIsNotSentUnlessItIsAcceptedExplicitly() async throws {
        var own = TokenClaims(
            issuer: "alice.example",
            subject: "alice",
            identifier: "1",
            issuedAt: StillClock.seconds - 60,
            expires: StillClock.seconds + 86_400
        )
        own.application = "demo"
        var (elsewhere, other, none, owner) = (own, own, own, own)
        elsewhere.issuer = "bob.example"
        other.application = "diary"
        none.application = nil
        owner.scope = "owner"
        #expect(try await end(own, accepting: false) == ["done", "the token"])
        // Its own PDA knows what it may write.
        #expect(try await end(other, accepting: false) == ["done", "the token", "token-application"])
        for (claims, code) in [
            (elsewhere, "token-issuer"), (none, "token-application"), (owner, "token-application"),
        ] {
            #expect(try await end(claims, accepting: false) == [code, "nothing"], "\(claims)")
            #expect(try await end(claims, accepting: true) == ["done", "the token", code], "\(claims)")
        }
    }
}
