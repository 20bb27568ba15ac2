internal import LosslessJSON
internal import PDAWire

extension PDAServer {
    /// GET `/users/access_token`
    func ownerToken(_ exchange: Exchange) async throws -> Answer {
        guard loginLimit.allows(exchange.peer) else {
            throw Refusal.application(
                400,
                "Request rate exceeded",
                PDACause.rateExceeded,
                details: ["Request to /users/access_token"]
            )
        }
        guard let name = exchange.header("username"), let password = exchange.header("password") else {
            throw Refusal.application(401, "Credentials required", PDACause.credentialsRequired)
        }
        let decoded = PercentEncoding.decode(password, plusIsSpace: true)
        guard owner.accepts(name: PercentEncoding.decode(name, plusIsSpace: true), password: decoded) else {
            throw Refusal.notAuthenticated
        }
        let token = try tokens.owner(issuer: exchange.host)
        var answer = tokenAnswer(token)
        answer.headers.append((PDAHeader.token, token))
        return answer
    }

    func tokenAnswer(_ token: String) -> Answer {
        Answer(.object(JSONObject([("accessToken", .text(token)), ("userId", .text(owner.id))])))
    }
}
