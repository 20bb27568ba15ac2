internal import CurlTransport

/// The `iss` of a PDA's token: the PDA's host name, with its port if it was used with one.
package enum TokenIssuer {
    /// Whether an issuer is the PDA at an origin.
    ///
    /// Case and default ports do not count, and the names of this machine's loopback are one. An issuer with a scheme, a path or
    /// a user is none: the text decides who gets a token.
    package static func names(_ issuer: String, _ pda: String) -> Bool {
        // The usual case, which does not require parsing the address.
        if pda.hasSuffix("://\(issuer)") { return true }
        guard let pda = try? HTTPURL(pda), let named = try? HTTPURL("\(pda.scheme)://\(issuer)"),
            named.path == "/", named.query == nil
        else { return false }
        return named.port == pda.port && name(named) == name(pda)
    }

    private static func name(_ url: HTTPURL) -> String {
        ["127.0.0.1", "[::1]"].contains(url.host) ? "localhost" : url.host
    }
}
