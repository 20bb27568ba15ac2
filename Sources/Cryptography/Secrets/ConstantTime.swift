internal import CLibCrypto

/// Comparison in a time that does not tell where two values differ.
package enum ConstantTime {
    /// Whether two values are the same. Their sizes are no secret.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
