internal import CLibCrypto

/// Comparison in a time that does not reveal where two values differ.
package enum ConstantTime {
    /// Whether two values are equal. Their sizes are not secret.
    package static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
