internal import PlugCore

/// What OAuth 1 signs of a request (RFC 5849, section 3.4.1).
enum OAuth1BaseString {
    /// The text.
    ///
    /// - Parameter parameters: Those of the protocol, without the signature.
    static func text(of request: SignableRequest, with parameters: [(name: String, value: String)]) -> String {
        let form = request.hasForm ? fields(of: String(decoding: request.body, as: UTF8.self)) : []
        let all = fields(of: request.query ?? "") + form + parameters
        let encoded = sortedByBytes(all.map { (PercentCode.encoded($0.name), PercentCode.encoded($0.value)) })
        let normal = encoded.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return [request.method.uppercased(), address(of: request), normal].map { PercentCode.encoded($0) }
            .joined(separator: "&")
    }

    /// The address without its query (section 3.4.1.2); a port that is the scheme's own is no part of it.
    private static func address(of request: SignableRequest) -> String {
        let scheme = request.scheme.lowercased()
        let own = scheme == "https" ? ":443" : ":80"
        let authority = request.authority.lowercased()
        let host = authority.hasSuffix(own) ? String(authority.dropLast(own.count)) : authority
        return "\(scheme)://\(host)\(request.path.isEmpty ? "/" : request.path)"
    }

    /// The fields of a query or a form. What is no form is one all the same, as far as it can be read.
    private static func fields(of text: String) -> [(name: String, value: String)] {
        FormText.decode(text)
            ?? text.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let texts = parts.map {
                    String(decoding: PercentCode.decoded($0.replacing("+", with: " ")), as: UTF8.self)
                }
                return (texts[0], texts.count > 1 ? texts[1] : "")
            }
    }
}
