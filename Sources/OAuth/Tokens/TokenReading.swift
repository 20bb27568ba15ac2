package import CurlTransport
package import LosslessJSON
internal import PlugCore

/// How the responses of a token endpoint are read: strictly where it matters, leniently where services differ.
package struct TokenReading: Sendable {
    /// Finds a value in a response, for services that place or name it differently. `nil` and JSON's `null` mean that it is
    /// absent.
    package typealias Selector = @Sendable (_ answer: ReceivedAnswer) throws -> JSONValue?

    /// The access token; `nil` for the member `access_token`.
    package var accessToken: Selector?
    /// The refresh token; `nil` for the member `refresh_token`.
    package var refreshToken: Selector?
    /// The access token's lifetime or expiry time; `nil` for the member `expires_in`.
    package var expires: Selector?
    /// The refresh token's lifetime; `nil` for the member `refresh_token_expires_in`, else `refresh_expires_in`.
    package var refreshExpires: Selector?
    /// The granted scopes; `nil` for the member `scope`.
    package var scope: Selector?
    /// Other values kept from a response that has an access token.
    package var kept: [(name: String, selector: Selector)] = []
    /// Whether a response says that the presented proof is dead; `nil` for the error `invalid_grant`.
    package var isDead: (@Sendable (_ answer: ReceivedAnswer) throws -> Bool)?
    /// The separator between scopes.
    package var separator: String
    /// The requested scopes: they show how to read the granted ones.
    package var asked: [String]

    /// Reads as the standard says, unless overridden.
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

    /// Reads a response: required parts strictly; unreadable optional parts are left out and reported.
    ///
    /// - Parameters:
    ///   - now: Microseconds since 1970.
    ///   - hidden: What no message may quote, including `TokenRequest.hidden`.
    /// - Throws: `TokenFailure`, which quotes no token. It carries the refresh token if only that is usable.
    package func read(
        _ response: HTTPResponse,
        now: Int64,
        hiding hidden: HiddenTexts
    ) throws(TokenFailure) -> TokenAnswer {
        let answer = ReceivedAnswer(response)
        if let failure = try failure(in: answer, now: now, hidden) { throw failure }
        guard let value = answer.value else { throw Self.unreadable(answer) }
        // The refresh token first: it may be the only one.
        var unread: [String] = []
        func optional(_ selector: Selector?, _ name: String, _ what: String) -> JSONValue? {
            do { return try select(selector, name, of: answer, value, what) } catch {
                unread.append(error.reason)
                return nil
            }
        }
        let refreshToken = Self.refreshToken(optional(self.refreshToken, "refresh_token", "refresh token"), &unread)
        let accessToken: Secret
        do { accessToken = try self.accessToken(of: answer, value) } catch {
            var failure = error
            failure.refreshToken = refreshToken
            throw failure
        }
        func time(_ value: JSONValue?, _ what: String) -> Int64? {
            if let value, !value.isNull, value.stringText != "", !TokenExpiry.isTime(value) {
                unread.append("its \(what) is neither a number of seconds nor a date")
            }
            return TokenExpiry.time(value, now: now)
        }
        let expires = time(optional(expires, "expires_in", "end"), "end")
        let refreshEnd =
            optional(refreshExpires, "refresh_token_expires_in", "end of the refresh token")
            ?? (refreshExpires == nil ? value["refresh_expires_in"] : nil)
        let granted = optional(scope, "scope", "scope")
        var values: [String: String] = [:]
        for (name, selector) in kept {
            guard let found = optional(selector, name, "value of '\(name)'") else { continue }
            values[name] = Self.keptText(found)
            if values[name] == nil {
                unread.append("its '\(name)' is not a text of 1 to \(Self.keptLimit) bytes without control characters")
            }
        }
        return TokenAnswer(
            accessToken: accessToken,
            refreshToken: refreshToken,
            expires: expires,
            scopes: ScopeList.granted(granted, separator: separator, asked: asked),
            values: values,
            refreshExpires: time(refreshEnd, "end of the refresh token"),
            unread: unread
        )
    }

    /// Token types that are useless to a client holding only the token.
    private static let provenTypes: Set<String> = ["mac", "dpop", "pop"]

    /// Longer than any address that a service returns with a token.
    private static let keptLimit = 2000

    /// A value that can be kept: a text, or a number as written.
    private static func keptText(_ value: JSONValue) -> String? {
        guard let text = value.stringText ?? value.number.map({ _ in value.compactText }) else { return nil }
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
        return isPlain && (1...keptLimit).contains(text.utf8.count) ? text : nil
    }

    /// Whether a header can carry it (RFC 6749, appendix A.12).
    private static func isToken(_ text: String) -> Bool { text.utf8.allSatisfy { 0x20...0x7E ~= $0 } }

    /// The refresh token; `nil` if there is none. A number is accepted as written.
    private static func refreshToken(_ value: JSONValue?, _ unread: inout [String]) -> Secret? {
        guard let value else { return nil }
        guard let text = value.stringText ?? value.number.map({ _ in value.compactText }) else {
            unread.append("its refresh token is of type \(value.typeName), not a text")
            return nil
        }
        return text.isEmpty ? nil : Secret(text)
    }

    /// The access token.
    ///
    /// - Throws: `TokenFailure` if there is none, or none that is usable.
    private func accessToken(of answer: ReceivedAnswer, _ value: JSONValue) throws(TokenFailure) -> Secret {
        func failure(_ reason: String) -> TokenFailure { TokenFailure(.unusable, reason, status: answer.status) }
        guard let found = try select(accessToken, "access_token", of: answer, value, "access token") else {
            throw failure("it has no access token")
        }
        guard let text = found.stringText else {
            throw failure("its access token is of type \(found.typeName), not a text")
        }
        if text.isEmpty { throw failure("it has no access token") }
        guard Self.isToken(text) else { throw failure("its access token has characters that tokens cannot have") }
        if let type = value["token_type"]?.stringText?.lowercased(), Self.provenTypes.contains(type) {
            throw failure("its token needs a proof with a key of its own ('\(type)'), which plughost does not support")
        }
        return Secret(text)
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
            // The program's error could quote the response.
            throw TokenFailure(.unusable, "the program that finds the \(what) failed on it", status: answer.status)
        }
        return found.flatMap { $0.isNull ? nil : $0 }
    }

    static func unreadable(_ answer: ReceivedAnswer) -> TokenFailure {
        let what =
            switch answer.content {
            case .page: "it is a web page (HTML or XML), not JSON"
            case .nothing: "it is empty"
            case .value, .other: "it is neither JSON nor a form"
            }
        return TokenFailure(.unreadable, what, status: answer.status)
    }
}
