internal import LosslessJSON
internal import PDAWire
public import PlugCore

extension PDA {
    /// Changes the owner's password: `POST /control/v2/auth/password`. Requires the owner's own token.
    ///
    /// - Throws: `PDAError`: `forbidden` (403) if the old password is wrong, `refused` (400) if the new one is weak.
    public func changePassword(from old: Secret, to new: Secret) async throws(PDAError) {
        try Self.check(new)
        var call = PDARequest(PDARoute.password, method: "POST")
        call.parameters = .object(["password": .text(old.reveal()), "newPassword": .text(new.reveal())])
        call.secrets = [old, new]
        _ = try await request(call).value()
    }

    /// Has a reset token mailed to the owner: `POST /control/v2/auth/passwordReset`. Open to all; the PDA gives the same
    /// answer whether or not the address is the owner's.
    ///
    /// - Parameter email: The owner's address.
    public func requestPasswordReset(email: String) async throws(PDAError) {
        guard email.contains("@") else { throw PDAError(.invalidRequest, "this is not an e-mail address") }
        var call = PDARequest(PDARoute.passwordReset, method: "POST", parameters: .object(["email": .text(email)]))
        call.sendsToken = false
        _ = try await request(call).value()
    }

    /// Sets a new password with the token from that mail: `POST /control/v2/auth/passwordreset/confirm/TOKEN`.
    ///
    /// - Returns: A token of the owner if the PDA gives one; it is not passed to the token source.
    /// - Throws: `PDAError`: `not_authenticated` (401) if the token is unknown or too old.
    @discardableResult
    public func resetPassword(with token: Secret, to new: Secret) async throws(PDAError) -> Secret? {
        try Self.check(new)
        guard !token.reveal().isEmpty, ![".", ".."].contains(token.reveal()) else {
            throw PDAError(.invalidRequest, "there is no reset token")
        }
        var call = PDARequest(PDARoute.confirmReset(token.reveal()), method: "POST")
        call.parameters = .object(["newPassword": .text(new.reveal())])
        call.secrets = [token, new]
        call.sendsToken = false
        let result = await request(call)
        _ = try result.value()
        guard case .success(_, _, _, let refreshed) = result else { return nil }
        return refreshed
    }

    private static func check(_ password: Secret) throws(PDAError) {
        guard !password.reveal().isEmpty else { throw PDAError(.invalidRequest, "the new password is empty") }
    }
}

extension PDARoute {
    static let password = "/control/v2/auth/password"
    static let passwordReset = "/control/v2/auth/passwordReset"
    static func confirmReset(_ token: String) -> String {
        "/control/v2/auth/passwordreset/confirm/\(PercentEncoding.segment(token))"
    }
}
