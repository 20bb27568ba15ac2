public import CurlTransport
public import LosslessJSON
internal import PlugCore

/// One call to a PDA's HTTP API, in the general form of its public documentation.
public struct PDARequest: Sendable {
    /// How the parameters are sent.
    public enum Encoding: Sendable, Hashable {
        /// As a JSON body; any JSON value.
        case json
        /// As a body of `name=value` pairs; an object of texts, numbers and booleans, or arrays of these.
        case form
        /// As the URL's query; the same values as `form`.
        case query
    }

    /// A path on the PDA such as `/api/v2.6/data`, or an absolute URL. Only the PDA's own origin gets the token.
    public var url: String
    /// The method, in capitals: `GET` and `HEAD` have no JSON body.
    public var method: String
    /// How the parameters are sent.
    public var encoding: Encoding
    /// The body's `Content-Type`, `nil` for the encoding's default.
    public var contentType: String?
    /// The parameters, `nil` for none. With `json` they are the body itself, including an empty object.
    public var parameters: JSONValue?
    /// Extra header fields; an `X-Auth-Token` here replaces the client's.
    public var headers: [HTTPHeader]

    /// Log-in and public resources are requested without the token.
    var sendsToken = true
    /// Whether a GET changes something, as some on the reference server do.
    var changes = false
    /// What no error may repeat, in addition to the token and headers known to be secret.
    var secrets: [Secret] = []

    /// Whether it may change something in the PDA.
    var isChange: Bool { changes || !["GET", "HEAD", "OPTIONS"].contains(method) }

    /// A call.
    public init(
        _ url: String,
        method: String = "GET",
        encoding: Encoding = .json,
        contentType: String? = nil,
        parameters: JSONValue? = nil,
        headers: [HTTPHeader] = []
    ) {
        self.url = url
        self.method = method
        self.encoding = encoding
        self.contentType = contentType
        self.parameters = parameters
        self.headers = headers
    }
}
