internal import Cryptography

/// scrypt (r = 8, p = 1), 32 bytes.
struct PasswordHash: Sendable {
    /// scrypt's N, a power of two. The stored hashes do not contain it: all hashes of a sandbox use the same.
    var rounds: Int

    func derive(_ password: String, salt: [UInt8]) throws -> [UInt8] {
        try Scrypt.derive(Array(password.utf8), salt: salt, rounds: rounds, blockSize: 8, parallelism: 1, count: 32)
    }

    /// Whether a password is a user's; compared in constant time.
    func accepts(_ password: String, of user: User) -> Bool {
        guard user.isEnabled, let derived = try? derive(password, salt: user.salt) else { return false }
        return ConstantTime.areEqual(derived, user.hash)
    }

    /// Whether a new password meets the minimum: ten characters, five of them different.
    static func isStrong(_ password: String) -> Bool { password.count >= 10 && Set(password).count >= 5 }
}
