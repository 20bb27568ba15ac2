package import CurlTransport
package import PlugCore

/// The login at a person's PDA, which gives a plug its token.
///
/// The person says where their PDA is, and their browser is sent to its `hatlogin` page with the plug's id and the return
/// address. The PDA adds `token=` there, or sends the browser to the fallback if the person declines.
package struct PDALogin: Sendable, Equatable {
    /// The PDA's origin, such as `https://ann.hubofallthings.net`.
    package let pda: String
    /// The plug's id, also that of its application.
    package let plug: String
    /// Where the browser comes back to.
    package let redirect: String
    /// Where the browser comes back to without a token.
    package let fallback: String

    /// A login.
    ///
    /// - Parameters:
    ///   - typed: The PDA as the person names it: a host name, or its address.
    ///   - policy: Where PDAs may be reached without encryption.
    /// - Throws: `PlugError` `pda-name` if it does not name a PDA.
    package init(
        at typed: String,
        plug: String,
        redirect: String,
        fallback: String,
        policy: NetworkPolicy
    ) throws(PlugError) {
        pda = try Self.origin(typed, policy)
        self.plug = plug
        self.redirect = redirect
        self.fallback = fallback
    }

    /// The address that the browser is sent to. It is a text, because its parameters follow a `#`.
    package var address: String {
        let fields = [("name", plug), ("redirect", redirect), ("fallback", fallback)]
        return "\(pda)/#/hatlogin?"
            + fields.map { "\($0)=\(PercentEncoding.segment($1))" }.joined(separator: "&")
    }

    /// The token in the query with which the browser came back.
    ///
    /// - Throws: `PlugError` `pda-login-answer` if there is none, or more than one.
    package static func token(in query: String) throws(PlugError) -> Secret {
        let fields = FormText.decode(query) ?? []
        let tokens = fields.filter { $0.name == "token" && !$0.value.isEmpty }
        guard tokens.count == 1 else {
            let problem = tokens.isEmpty ? "without a token" : "with more than one token"
            throw PlugError(
                .pdaLoginAnswer,
                "the browser came back from the PDA \(problem)",
                advice: "log in at the PDA again, and let the plug in"
            )
        }
        return Secret(tokens[0].value)
    }

    /// The origin of the PDA that a person names.
    package static func origin(_ typed: String, _ policy: NetworkPolicy) throws(PlugError) -> String {
        let text = typed.split(whereSeparator: \.isWhitespace).joined().lowercased()
        var name = text[...]
        for scheme in ["https://", "http://"] where name.hasPrefix(scheme) { name = name.dropFirst(scheme.count) }
        while name.hasSuffix("/") { name = name.dropLast() }
        guard let url = try? UnverifiedToken.address(String(name)), url.host.contains(".") || isHere(url) else {
            throw PlugError(
                .pdaName,
                "'\(DisplayText.escaped(String(typed.prefix(100))))' is not the name of a PDA",
                advice: "write its host name, such as ann.hubofallthings.net"
            )
        }
        // http is for this machine and allowed networks; the transport checks the address again.
        let mayBePlain = !policy.allowedPDANetworks.isEmpty || policy.trustedPDAs.contains(url.hostAndPort)
        let isPlain = mayBePlain && (text.hasPrefix("http://") || isHere(url) && !text.hasPrefix("https://"))
        return (isPlain ? url.with(scheme: "http") : url)?.origin ?? url.origin
    }

    private static func isHere(_ url: HTTPURL) -> Bool { url.host == "localhost" || url.address?.isLoopback == true }
}
