internal import CryptoExtras
internal import Foundation

/// scrypt (N = 2^14, r = 8, p = 1), 32 bytes.
enum PasswordHash {
    static func derive(_ password: String, salt: [UInt8]) throws -> [UInt8] {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.utf8),
            salt: Data(salt),
            outputByteCount: 32,
            rounds: 1 << 14,
            blockSize: 8,
            parallelism: 1
        )
        return key.withUnsafeBytes { Array($0) }
    }

    /// Whether a new password is not a bad joke: ten characters, five of them different.
    static func isStrong(_ password: String) -> Bool { password.count >= 10 && Set(password).count >= 5 }
}
