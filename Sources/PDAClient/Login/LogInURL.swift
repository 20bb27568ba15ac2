public import PlugCore

extension PDA {
    /// The PDA's log-in page, for a browser: `ORIGIN/#/hatlogin?name=…&redirect=…&fallback=…` (S39). Nothing is sent.
    ///
    /// The owner enters the password there, and the app never sees it; if the app is not set up, the page asks for
    /// consent. Then the browser goes to `redirect` with a token; see `token(fromRedirect:)`.
    ///
    /// - Parameters:
    ///   - application: The application's id, the parameter `name`.
    ///   - redirect: Where the browser goes after log-in, such as `acme://done` or `https://acme.example/done`.
    ///   - fallback: Where it goes after the owner declined; without it newer PDAs go to `redirect` with an error.
    /// - Throws: `PDAError` `invalid_request` for an empty id, or an address without a scheme.
    public func logInURL(
        application: String,
        redirect: String,
        fallback: String? = nil
    ) throws(PDAError) -> String {
        guard !application.isEmpty else { throw PDAError(.invalidRequest, "the application has no id") }
        let name = PercentEncoding.segment(application)
        var url = "\(origin)/#/hatlogin?name=\(name)&redirect=\(try Self.encoded(redirect, "redirect"))"
        if let fallback { url += "&fallback=\(try Self.encoded(fallback, "fallback"))" }
        return url
    }

    /// The token that the log-in page returned: `REDIRECT?token=…` or `REDIRECT?…&token=…`. Verify it before use, see
    /// `verify(_:application:at:)`: anyone can open an app's address with a token of their own.
    ///
    /// - Parameter url: The address with which the app was opened.
    /// - Throws: `PDAError` `not_logged_in` if the owner declined (`error=…`) or there is no token.
    public static func token(fromRedirect url: String) throws(PDAError) -> Secret {
        let pairs = parameters(of: url)
        // The page appends its own to those of the redirect.
        if let token = pairs.last(where: { $0.name == "token" })?.value, !token.isEmpty { return Secret(token) }
        if let error = pairs.last(where: { $0.name == "error" })?.value {
            let reason = pairs.last { $0.name == "error_reason" }.map { ": \($0.value.prefix(100))" } ?? ""
            throw PDAError(
                .notLoggedIn,
                "the log-in ended with '\(error.prefix(100))'\(reason)",
                advice: "try again when the owner wants to log in"
            )
        }
        throw PDAError(.notLoggedIn, "the log-in page came back without a token", advice: "open it again")
    }

    /// The parameters of the query, then those of a fragment that has its own query, as pages with `#/` have.
    private static func parameters(of url: String) -> [(name: String, value: String)] {
        let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.flatMap { part -> [(name: String, value: String)] in
            guard let mark = part.firstIndex(of: "?") else { return [] }
            return part[part.index(after: mark)...].split(separator: "&").map { pair in
                let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let value = sides.count == 2 ? PercentEncoding.decode(sides[1], plusIsSpace: true) : ""
                return (PercentEncoding.decode(sides[0], plusIsSpace: true), value)
            }
        }
    }
}
