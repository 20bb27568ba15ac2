internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// A parsed answer: its refreshed token and its meaning.
struct ResponseAnswer {
    let token: Secret?
    let result: PDAResult

    init(_ response: HTTPResponse, to request: PDARequest, place: String, _ redaction: Redaction) {
        let header = response.headers.first(PDAHeader.token) ?? ""
        token = header.isEmpty ? nil : Secret(header)
        switch Self.result(response, redaction.place(place), token, redaction) {
        case .failure(var error, let status, let json):
            // A changing call with an unreadable 2xx was done; after a 5xx it is unknown.
            if request.isChange, let status, 200..<300 ~= status || status >= 500 { error.mayHaveArrived = true }
            result = .failure(error: error, status: status, json: json)
        case let success: result = success
        }
    }

    private static func result(
        _ response: HTTPResponse,
        _ place: String,
        _ token: Secret?,
        _ redaction: Redaction
    ) -> PDAResult {
        let status = response.status
        let bytes = response.body.withBytes { Array($0) }
        let type = response.headers.first("Content-Type")?.lowercased() ?? ""
        let isText = type.hasPrefix("text/plain")
        var isPage = type.hasPrefix("text/html") || type.hasPrefix("application/xhtml")
        let json = isPage ? nil : try? JSONValue(parsing: bytes)
        // Some servers do not declare the type of their pages.
        if json == nil, !isText, bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<") { isPage = true }
        switch status {
        case 200..<300:
            if isPage {
                let advice = "check the path: a PDA answers unknown paths with its web page"
                return failure(.html, "\(place) answered with an HTML page", advice, status)
            }
            if bytes.isEmpty { return .success(isSuccess: true, status: status, json: .null, token: token) }
            if isText {
                let text = JSONValue.text(String(decoding: bytes, as: UTF8.self))
                return .success(isSuccess: true, status: status, json: text, token: token)
            }
            guard let json else {
                let advice = "check that this is the address of a PDA"
                return failure(.notJSON, "\(place) answered \(status) with something that is not JSON", advice, status)
            }
            return .success(isSuccess: true, status: status, json: json, token: token)
        case 300..<400 where response.headers.first("Location") != nil:
            return failure(.redirected, "\(place) redirects", "use the PDA's own https address", status)
        case 400..<600:
            let error = PDAError.answered(status, json.flatMap { PDAFailure(body: $0) }, place: place, redaction)
            return .failure(error: error, status: status, json: json.map(redaction.json))
        default: return .success(isSuccess: false, status: status, json: json ?? .null, token: token)
        }
    }

    private static func failure(
        _ code: PDAError.Code,
        _ message: String,
        _ advice: String,
        _ status: Int
    ) -> PDAResult {
        .failure(error: PDAError(code, message, advice: advice, status: status), status: status, json: nil)
    }
}
