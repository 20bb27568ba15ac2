internal import Cryptography
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

extension PDAServer {
    /// POST `/control/v2/auth/password`
    func changePassword(_ request: ServedRequest) async throws -> Route.Reply {
        let body = ShapeReader(try await request.json().root.value)
        let new = try Self.newPassword(body)
        let old = try body.optional("password")?.text()
        return { caller in
            guard let old else { throw Refusal.application(403, "Invalid password", "Old password missing") }
            guard self.store.passwords.accepts(old, of: caller.user) else {
                throw Refusal.application(403, "Invalid password", "Old password invalid")
            }
            return try await self.setPassword(new, of: caller.user, "Password changed", issuer: request.host)
        }
    }

    private static func newPassword(_ body: ShapeReader) throws -> String {
        let new = try body.member("newPassword")
        let text = try new.text()
        guard PasswordHash.isStrong(text) else { throw new.refusal("error.password.weak") }
        return text
    }

    /// Changes the password, and gives a token that is limited to no role and no resource.
    private func setPassword(_ password: String, of user: User, _ message: String, issuer: String) async throws
        -> Answer
    {
        var user = user
        user.salt = SecureRandom.bytes(16)
        user.hash = try store.passwords.derive(password, salt: user.salt)
        _ = try await store.updateUser(user)
        var answer = Answer.message(message)
        answer.headers.append((PDAHeader.token, try tokens.user(issuer: issuer, scope: nil, subject: user.subject)))
        return answer
    }

    /// POST `/control/v2/auth/passwordReset`: the same answer for everyone. The reset itself is shown on the owner's page; the
    /// reference server mails it, or gives it to anyone who sends `sendEmailToUser=false`.
    func requestReset(_ request: ServedRequest) async throws -> Answer {
        let email = try ShapeReader(await request.json().root.value).member("email")
        let address = try email.text()
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
            throw email.refusal("error.email")
        }
        guard loginLimit.allows("reset \(request.peer)") else {
            throw Refusal.application(400, "Request rate exceeded", PDACause.rateExceeded)
        }
        if address.lowercased() == self.email.lowercased() {
            let now = clock.milliseconds
            try await store.add(
                PasswordReset(
                    token: SecureRandom.hexadecimal(bytes: 32),
                    email: address,
                    made: now,
                    expires: now + 86_400_000
                )
            )
        }
        return .message("If this is the owner’s e-mail address, the way to a new password is on its way to it")
    }

    /// POST `/control/v2/auth/passwordreset/confirm/TOKEN`
    func confirmReset(_ token: String, _ request: ServedRequest) async throws -> Answer {
        let new = try Self.newPassword(ShapeReader(await request.json().root.value))
        return try await reset(token, to: new, issuer: request.host)
    }

    /// Uses a reset, once.
    func reset(_ token: String, to new: String, issuer: String) async throws -> Answer {
        func refusal(_ title: String, _ cause: String) -> Refusal { .application(401, title, cause) }
        guard let reset = try await store.reset(token) else { throw refusal("Invalid Token", "Token does not exist") }
        guard reset.expires > clock.milliseconds else { throw refusal("Invalid Token", "Token expired or invalid") }
        guard reset.email.lowercased() == email.lowercased() else {
            throw refusal("Password reset unauthorized", "Only HAT owner can reset their password")
        }
        guard let owner = try await store.owner() else {
            throw refusal("Password reset unauthorized", "No user matching token")
        }
        try await store.removeReset(token)
        return try await setPassword(new, of: owner, "Password reset", issuer: issuer)
    }
}
