internal import PlugCore

/// The part of a request that OAuth 1 signs (RFC 5849, section 3.4.1).
enum OAuth1BaseString {
    /// The signature base string.
    ///
    /// - Parameter parameters: The protocol parameters, without the signature.
    static func text(of request: SignableRequest, with parameters: [(name: String, value: String)]) -> String {
        let form = request.hasForm ? fields(of: String(decoding: request.body, as: UTF8.self)) : []
        let all = fields(of: request.query ?? "") + form + parameters
        let encoded = sortedByBytes(all.map { (PercentEncoding.segment($0.name), PercentEncoding.segment($0.value)) })
        let normal = encoded.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return [request.method.uppercased(), address(of: request), normal].map { PercentEncoding.segment($0) }
            .joined(separator: "&")
    }

    /// The address without its query (section 3.4.1.2), and without the scheme's default port.
    private static func address(of request: SignableRequest) -> String {
        let scheme = request.scheme.lowercased()
        let own = scheme == "https" ? ":443" : ":80"
        let authority = request.authority.lowercased()
        let host = authority.hasSuffix(own) ? String(authority.dropLast(own.count)) : authority
        return "\(scheme)://\(host)\(request.path.isEmpty ? "/" : request.path)"
    }

    /// The fields of a query or a form. Anything else is read as a form, too, as far as possible.
    private static func fields(of text: String) -> [(name: String, value: String)] {
        FormText.decode(text)
            ?? text.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let texts = parts.map { PercentEncoding.decode($0, plusIsSpace: true) }
                return (texts[0], texts.count > 1 ? texts[1] : "")
            }
    }
}
