internal import Connecting
internal import PlugCore

/// Accepts the tokens of PDAs that have a connection here, as `ShownTokens` verifies them.
struct PDAVisitors: PDAVisitorReading {
    private let tokens: ShownTokens

    init(_ tokens: ShownTokens) { self.tokens = tokens }

    func pda(showing token: Secret, for plug: String?) async throws -> (pda: String, plug: String)? {
        guard let shown = try await tokens.verified(token, plug: plug) else { return nil }
        return (shown.token.pda, shown.plug)
    }
}
