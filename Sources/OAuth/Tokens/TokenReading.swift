package import CurlTransport
package import LosslessJSON
internal import PlugCore

/// How the answers of a token endpoint are read: strictly where it matters, and patiently where services differ.
package struct TokenReading: Sendable {
    /// Finds a value in an answer, for services that have it elsewhere or under another name. `nil` and JSON's `null` mean
    /// that it is not there.
    package typealias Selector = @Sendable (_ answer: ReceivedAnswer) throws -> JSONValue?

    /// The access token; `nil` for the member `access_token`.
    package var accessToken: Selector?
    /// The refresh token; `nil` for the member `refresh_token`.
    package var refreshToken: Selector?
    /// How long the access token lives, or until when; `nil` for the member `expires_in`.
    package var expires: Selector?
    /// What was granted; `nil` for the member `scope`.
    package var scope: Selector?
    /// Whether an answer says that what was shown for the token is dead; `nil` for the error `invalid_grant`.
    package var isDead: (@Sendable (_ answer: ReceivedAnswer) throws -> Bool)?
    /// What stands between two scopes.
    package var separator: String
    /// The scopes that were asked for: they tell how to read those that were granted.
    package var asked: [String]

    /// A way of reading: that of the standard, unless something is given.
    package init(
        accessToken: Selector? = nil,
        refreshToken: Selector? = nil,
        expires: Selector? = nil,
        scope: Selector? = nil,
        isDead: (@Sendable (_ answer: ReceivedAnswer) throws -> Bool)? = nil,
        separator: String = " ",
        asked: [String] = []
    ) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expires = expires
        self.scope = scope
        self.isDead = isDead
        self.separator = separator
        self.asked = asked
    }

    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - now: Microseconds since 1970.
    ///   - hiding: What no message may quote, `TokenRequest.hidden`.
    /// - Throws: `TokenFailure`, which quotes no token.
    package func read(_ response: HTTPResponse, now: Int64, hiding: [String]) throws(TokenFailure) -> TokenAnswer {
        let answer = ReceivedAnswer(response)
        if let failure = try failure(in: answer, now: now, hiding) { throw failure }
        guard let value = answer.value else { throw Self.unreadable(answer) }
        guard let accessToken = try text(accessToken, "access_token", of: answer, value, "access token") else {
            throw TokenFailure(.unreadable, "it has no access token", status: answer.status)
        }
        guard Self.isToken(accessToken) else {
            throw TokenFailure(.unreadable, "its access token has characters that no token has", status: answer.status)
        }
        if let type = value["token_type"]?.stringText?.lowercased(), Self.provenTypes.contains(type) {
            throw TokenFailure(
                .unreadable,
                "its token has to be proved with a key of its own ('\(type)'), which plughost does not do",
                status: answer.status
            )
        }
        let refreshToken = try text(refreshToken, "refresh_token", of: answer, value, "refresh token")
        return TokenAnswer(
            accessToken: Secret(accessToken),
            refreshToken: refreshToken.map(Secret.init),
            expires: TokenExpiry.time(try select(expires, "expires_in", of: answer, value, "end"), now: now),
            scopes: ScopeList.granted(
                try select(scope, "scope", of: answer, value, "scope"),
                separator: separator,
                asked: asked
            )
        )
    }

    /// Types of tokens that are of no use to who only has the token.
    private static let provenTypes: Set<String> = ["mac", "dpop", "pop"]

    /// What a header can carry (RFC 6749, appendix A.12).
    private static func isToken(_ text: String) -> Bool { text.utf8.allSatisfy { 0x20...0x7E ~= $0 } }

    /// A text that is not empty, `nil` where there is none.
    private func text(
        _ selector: Selector?,
        _ name: String,
        of answer: ReceivedAnswer,
        _ value: JSONValue,
        _ what: String
    ) throws(TokenFailure) -> String? {
        guard let found = try select(selector, name, of: answer, value, what) else { return nil }
        guard let text = found.stringText else {
            throw TokenFailure(
                .unreadable,
                "its \(what) is of type \(found.typeName), not a text",
                status: answer.status
            )
        }
        return text.isEmpty ? nil : text
    }

    private func select(
        _ selector: Selector?,
        _ name: String,
        of answer: ReceivedAnswer,
        _ value: JSONValue,
        _ what: String
    ) throws(TokenFailure) -> JSONValue? {
        var found: JSONValue?
        do { found = if let selector { try selector(answer) } else { value[name] } } catch {
            // What the program says could quote the answer.
            throw TokenFailure(
                .unreadable,
                "the program that finds the \(what) failed on it",
                status: answer.status
            )
        }
        return found.flatMap { $0.isNull ? nil : $0 }
    }

    static func unreadable(_ answer: ReceivedAnswer) -> TokenFailure {
        let what =
            switch answer.content {
            case .page: "it is a page for people (HTML or XML), not JSON"
            case .nothing: "it is empty"
            case .value, .other: "it is neither JSON nor a form"
            }
        return TokenFailure(.unreadable, what, status: answer.status)
    }
}
