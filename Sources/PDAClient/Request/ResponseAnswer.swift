internal import HTTPTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// An answer, read: its refreshed token and what it means.
struct ResponseAnswer {
    let token: Secret?
    let result: PDAResult

    init(_ response: HTTPResponse, place: String) {
        let header = response.headers.first(PDAHeader.token) ?? ""
        token = header.isEmpty ? nil : Secret(header)
        result = Self.result(response, place, token)
    }

    private static func result(_ response: HTTPResponse, _ place: String, _ token: Secret?) -> PDAResult {
        let status = response.status
        let bytes = response.body.withBytes { Array($0) }
        let type = response.headers.first("Content-Type")?.lowercased() ?? ""
        let isPage = type.hasPrefix("text/html")
        let json = isPage ? nil : try? JSONValue(parsing: bytes)
        switch status {
        case 200..<300:
            if isPage {
                let advice = "check the path: a PDA answers paths that it does not know with its page"
                return failure(.html, "\(place) answered with a page", advice, status)
            }
            if bytes.isEmpty { return .success(isSuccess: true, status: status, json: .null, token: token) }
            if type.hasPrefix("text/plain") {
                let text = JSONValue.text(String(decoding: bytes, as: UTF8.self))
                return .success(isSuccess: true, status: status, json: text, token: token)
            }
            guard let json else {
                return failure(.notJSON, "\(place) answered \(status) with what is no JSON", nil, status)
            }
            return .success(isSuccess: true, status: status, json: json, token: token)
        case 300..<400 where response.headers.first("Location") != nil:
            return failure(.redirected, "\(place) redirects", "use the PDA's own https address", status)
        case 400..<600:
            let error = PDAError.answered(status, json.flatMap { PDAFailure(body: $0) }, place: place)
            return .failure(error: error, status: status, json: json)
        default: return .success(isSuccess: false, status: status, json: json ?? .null, token: token)
        }
    }

    private static func failure(_ code: PDAError.Code, _ message: String, _ advice: String?, _ status: Int) -> PDAResult
    {
        .failure(error: PDAError(code, message, advice: advice, status: status), status: status, json: nil)
    }
}
