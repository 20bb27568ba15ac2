import CurlTransport
import LosslessJSON
import OAuth
import PlugCore

/// A moment, in microseconds since 1970.
let now: Int64 = 1_795_000_000_000_000
let second: Int64 = 1_000_000

/// An answer of a token endpoint.
func response(_ status: Int, _ body: String, type: String = "application/json", headers: [HTTPHeader] = [])
    -> HTTPResponse
{
    HTTPResponse(
        status: status,
        headers: HTTPHeaders([HTTPHeader("Content-Type", type)] + headers),
        body: JSONBuffer(Array(body.utf8)),
        url: "https://id.example.org/token"
    )
}

/// A good answer of a token endpoint.
func response(_ body: String, type: String = "application/json") -> HTTPResponse { response(200, body, type: type) }

/// What a client reads out of an answer.
func read(
    _ response: HTTPResponse,
    _ reading: TokenReading = TokenReading(),
    hiding: [String] = []
) throws(TokenFailure) -> TokenAnswer { try reading.read(response, now: now, hiding: HiddenTexts(hiding)) }

/// The failure that a client reads out of an answer, `nil` where there is none.
func failure(
    _ response: HTTPResponse,
    _ reading: TokenReading = TokenReading(),
    hiding: [String] = []
) -> TokenFailure? {
    do throws(TokenFailure) {
        _ = try read(response, reading, hiding: hiding)
        return nil
    } catch { return error }
}

extension HTTPRequest {
    /// The body as text.
    var text: String { String(decoding: body ?? [], as: UTF8.self) }
    /// The value of a header.
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// An endpoint of no machine.
func endpoint(_ encoding: TokenEndpoint.Encoding = .form, _ parameters: [Parameter] = []) throws -> TokenEndpoint {
    TokenEndpoint(try HTTPURL("https://id.example.org/token?tenant=1"), encoding: encoding, parameters: parameters)
}
