import Cryptography

/// The bytes that hexadecimal digits stand for. A character that is no digit gives a wrong count, which tests notice.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// What a secret holds.
func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withUnsafeBytes { [UInt8]($0) } }
