/// HKDF with SHA-256 (RFC 5869): single-purpose keys from one secret.
package enum HKDF {
    /// A pseudorandom key from a secret. Without a salt it is 32 zeros.
    package static func extract(
        _ secret: SecretBytes,
        salt: [UInt8] = [UInt8](repeating: 0, count: SHA256.size)
    ) -> SecretBytes {
        SecretBytes(count: SHA256.size) { output in
            secret.withUnsafeBytes { secret in
                salt.withUnsafeBytes { HMAC.write(codeFor: secret, key: $0, into: output) }
            }
        }
    }

    /// The key for one purpose, at most 8,160 bytes.
    package static func expand(_ key: SecretBytes, info: [UInt8], count: Int) -> SecretBytes {
        precondition((0...255 * SHA256.size).contains(count), "HKDF gives at most 255 blocks")
        return SecretBytes(count: count) { output in
            var (filled, number, last) = (0, UInt8(0), SecretBytes([]))
            while filled < count {
                number += 1
                last = block(key, after: last, info, number)
                last.withUnsafeBytes { last in
                    let part = last.prefix(count - filled)
                    output[filled..<filled + part.count].copyBytes(from: part)
                    filled += part.count
                }
            }
        }
    }

    /// T(n) of the standard: the code of the previous block, the purpose and the block's number.
    private static func block(_ key: SecretBytes, after last: SecretBytes, _ info: [UInt8], _ number: UInt8)
        -> SecretBytes
    {
        let message = SecretBytes(count: last.count + info.count + 1) { message in
            last.withUnsafeBytes { message.copyBytes(from: $0) }
            message[last.count..<last.count + info.count].copyBytes(from: info)
            message[message.count - 1] = number
        }
        return SecretBytes(count: SHA256.size) { output in
            key.withUnsafeBytes { key in
                message.withUnsafeBytes { HMAC.write(codeFor: $0, key: key, into: output) }
            }
        }
    }
}
