internal import CryptoExtras
internal import Foundation

/// scrypt (r = 8, p = 1), 32 bytes.
struct PasswordHash: Sendable {
    /// scrypt's N, a power of two. The kept hashes do not say it: all of a sandbox are made with the same.
    var rounds: Int

    func derive(_ password: String, salt: [UInt8]) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: Data(salt),
            outputByteCount: 32,
            rounds: rounds,
            blockSize: 8,
            parallelism: 1
        )
        return key.withUnsafeBytes { Array($0) }
    }

    /// Whether a password is a user's; compared in constant time.
    func accepts(_ password: String, of user: User) -> Bool {
        guard user.isEnabled, let derived = try? derive(password, salt: user.salt) else { return false }
        return zip(derived, user.hash).reduce(derived.count == user.hash.count ? 0 : 1) { $0 | ($1.0 ^ $1.1) } == 0
    }

    /// Whether a new password is not a bad joke: ten characters, five of them different.
    static func isStrong(_ password: String) -> Bool { password.count >= 10 && Set(password).count >= 5 }
}
