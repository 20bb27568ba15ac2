import Cryptography
import CurlTransport
import PDAWire
import PlugCore
import TestKit
import Testing

/// Keys of PDAs, made once: to make one takes a second where nothing is optimised.
enum TestKeys {
    static let first = RSAPrivateKey()
    static let second = RSAPrivateKey()

    /// A signed token.
    static func token(
        _ payload: String,
        by key: RSAPrivateKey = first,
        header: String = #"{"alg":"RS256","typ":"JWT"}"#
    ) throws -> Secret {
        let signed = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(payload.utf8)))"
        return Secret("\(signed).\(Base64URL.encode(try key.signature(of: Array(signed.utf8))))")
    }

    /// The token that a PDA makes for a plug.
    static func token(
        of issuer: String,
        application: String = "my-plug",
        subject: String = "1-ann",
        issuedAt: Int64,
        expires: Int64? = nil,
        by key: RSAPrivateKey = first
    ) throws -> Secret {
        var claims = TokenClaims(
            issuer: issuer,
            subject: subject,
            identifier: "j",
            issuedAt: issuedAt,
            expires: expires ?? issuedAt + 30 * 86_400
        )
        claims.application = application
        return try token(String(decoding: claims.payload, as: UTF8.self), by: key)
    }
}

/// A PDA that gives its key, and counts how often it is asked.
final class KeyHolder: Sendable {
    struct State: Sendable {
        var status = 200
        var body = TestKeys.first.publicKey.pem
        var asked: [String] = []
    }

    let state: Watched<State>
    private let server: LoopbackServer

    init() throws {
        let state = Watched(State())
        self.state = state
        server = try LoopbackServer { connection in
            while let request = connection.next() {
                let answer = state.change { state -> (Int, String) in
                    state.asked.append("\(request.method) \(request.target)")
                    return (state.status, state.body)
                }
                guard connection.answer(answer.0, ["Content-Type: text/plain"], Array(answer.1.utf8)) else { return }
            }
        }
    }

    var issuer: String { server.authority }
    var asked: Int { state.value.asked.count }
    func set(_ change: (inout State) -> Void) { state.change(change) }
    func stop() { server.stop() }
}

/// A policy under which loopback addresses are allowed.
func loopbackPolicy() throws -> NetworkPolicy {
    var policy = NetworkPolicy()
    let network = try #require(CIDR("127.0.0.0/8"))
    (policy.allowedSourceNetworks, policy.allowedPDANetworks) = ([network], [network])
    return policy
}

/// The code of what is thrown.
func code(_ work: () async throws -> Void) async -> String? {
    do {
        try await work()
        return nil
    } catch { return (error as? PlugError)?.code.text ?? "\(error)" }
}
