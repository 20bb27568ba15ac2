internal import CurlTransport
internal import LosslessJSON
public import PDAWire
public import PlugCore

/// The result of a log-in with name and password.
public struct OwnerToken: Sendable, Equatable {
    /// The owner's token; valid for 30 days, or for 3 days without use.
    public var token: Secret
    /// The user's id, a UUID; `nil` if an older PDA leaves it out.
    public var userID: String?
}

extension PDA {
    /// Logs the owner in: `GET /users/access_token` with the headers `username` and `password`, each percent-encoded.
    ///
    /// For the owner's own tools. Apps send the owner to `logInURL(application:redirect:fallback:)`. The current token is
    /// not sent; the new one replaces it in the token source.
    ///
    /// - Parameters:
    ///   - username: The owner's name, normally the PDA's.
    ///   - password: The password. No error contains it.
    /// - Throws: `PDAError`: `not_authenticated` for a wrong name or password, `too_many_requests` after some ten in a row.
    @discardableResult
    public func logIn(username: String, password: Secret) async throws(PDAError) -> OwnerToken {
        guard !username.isEmpty, !password.reveal().isEmpty else {
            throw PDAError(.invalidRequest, "the log-in has no user name or no password")
        }
        var call = PDARequest(PDARoute.ownerToken)
        call.headers = [
            HTTPHeader("username", PercentEncoding.segment(username)),
            HTTPHeader("password", PercentEncoding.segment(password.reveal())),
        ]
        call.sendsToken = false
        let answer = try MemberReader(await request(call).value(), at: "")
        let text: String = try answer.required("accessToken")
        guard !text.isEmpty else { throw .undecodable("accessToken", "is empty") }
        let token = OwnerToken(token: Secret(text), userID: try answer.optional("userId"))
        await tokens.refreshed(token.token)
        return token
    }

    /// Asks the PDA whether the current token is valid: `GET /users/access_token/validate`. This refreshes a valid token.
    ///
    /// - Returns: `false` if the PDA answers 401.
    /// - Throws: `PDAError` for everything else.
    public func validateToken() async throws(PDAError) -> Bool {
        do throws(PDAError) {
            _ = try await request(PDARequest(PDARoute.validate)).value()
            return true
        } catch {
            guard error.code == .notAuthenticated else { throw error }
            return false
        }
    }

    /// The key that signs this PDA's tokens: `GET /publickey`, open to all. It seldom changes, so cache it.
    ///
    /// - Throws: `PDAError`; `undecodable` if the answer is not an RSA key in PEM form.
    public func publicKey() async throws(PDAError) -> PDAPublicKey {
        var call = PDARequest(PDARoute.publicKey)
        call.sendsToken = false
        let answer = try await request(call).value()
        guard let pem = answer.stringText else {
            throw .undecodable("", "should be a key as text, not \(answer.article)")
        }
        return try PDAPublicKey(pem: pem)
    }

    /// Asks this PDA for its key and verifies a token with it: signature, issuer and times; see `PDAPublicKey`.
    ///
    /// - Parameters:
    ///   - token: The token, for example from a redirect.
    ///   - application: The id that it must be for; `nil` for any, including the owner's own.
    ///   - now: Seconds since 1970, `nil` for this machine's clock.
    /// - Returns: The token's claims.
    /// - Throws: `PDAError`: `invalid_token`, and the errors of the request.
    public func verify(
        _ token: Secret,
        application: String? = nil,
        at now: Int64? = nil
    ) async throws(PDAError) -> TokenClaims {
        let url: HTTPURL
        do throws(HTTPError) {
            url = try HTTPURL(origin)
        } catch {
            throw PDAError(.invalidRequest, "the PDA's address is not an http or https URL (\(error.code))")
        }
        let key = try await publicKey()
        // The reference server writes the domain as the request named it: with its port if it is not the default.
        let issuer = url.origin == "\(url.scheme)://\(url.host)" ? url.host : url.hostAndPort
        return try key.verify(token, issuer: issuer, application: application, at: now)
    }
}
