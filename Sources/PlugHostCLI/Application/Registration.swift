internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// Registers a definition with an exchange.
struct Registration {
    let exchange: HTTPURL
    let token: Secret
    let transport: any HTTPSending

    /// Posts or puts it.
    ///
    /// - Returns: The status, 200 or 201.
    /// - Throws: `PlugError` `exchange-unreachable` (unreachable), `exchange-forbidden` (authorisation),
    ///   `exchange-refused` (data), `exchange-failed` (try later).
    func send(_ definition: JSONValue, isUpdate: Bool) async throws(PlugError) -> Int {
        let id = definition["id"]?.stringText ?? ""
        let path = isUpdate ? DirectoryRoute.application(id) : DirectoryRoute.applications
        var body: [UInt8] = []
        definition.write(to: &body)
        var base = exchange.withoutQuery
        while base.hasSuffix("/") { base.removeLast() }
        let request = HTTPRequest(
            method: isUpdate ? "PUT" : "POST",
            url: base + path,
            headers: [
                HTTPHeader(PDAHeader.token, token.reveal()), HTTPHeader("Content-Type", "application/json"),
                HTTPHeader("Accept", "application/json"),
            ],
            body: body,
            side: .pda,
            bodyLimit: 4 << 20
        )
        let response: HTTPResponse
        do { response = try await transport.send(request) } catch {
            throw PlugError(
                .exchangeUnreachable,
                "the exchange is unreachable: \(error.message)",
                advice: error.mayHaveArrived
                    ? "it may have accepted the definition: check before you try again"
                    : "check --exchange and the "
                        + "network"
            )
        }
        guard [200, 201].contains(response.status) else { throw refusal(response, base + path) }
        return response.status
    }

    private func refusal(_ response: HTTPResponse, _ place: String) -> PlugError {
        let document = try? JSONDocument(response.body, limits: JSONLimits(depth: 64))
        let words = document.flatMap { PDAFailure(body: $0.root) }.map { ": \($0.title): \($0.cause)" } ?? ""
        // An exchange that echoes the token must not get it into a log.
        let safe = DisplayText.escaped(words.replacing(token.reveal(), with: "<redacted>").prefix(300).description)
        let message = "the exchange answered \(response.status) to \(DisplayText.escaped(place))\(safe)"
        switch response.status {
        case 401, 403:
            let advice = "write a developer's token for this exchange into the token file"
            return PlugError(.exchangeForbidden, message, advice: advice)
        case 408, 425, 429, 500...:
            return PlugError(.exchangeFailed, message, advice: "try again later")
        case 400, 409, 422:
            let advice = "use --update to change an application that is already registered"
            return PlugError(.exchangeRefused, message, advice: advice)
        default:
            return PlugError(.exchangeRefused, message, advice: "check that --exchange is an exchange")
        }
    }
}
