internal import CLibCrypto

/// An RSA key of libcrypto, with or without its private part.
///
/// - Note: `@unchecked Sendable` proof: the pointer is constant, and the key is not changed once it is here. OpenSSL lets several
///   threads sign and verify with one key (openssl-threads(7): an object that is not modified; its internal caches have their own
///   locks). It is freed by `deinit`, when there are no references left.
final class RSAKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The size of a signature in bytes.
    var size: Int { Int(EVP_PKEY_get_size(pointer)) }

    /// The accepted sizes: smaller keys can be broken, larger ones slow down verification.
    static let bits = 2048...16384

    /// Takes ownership of an EVP_PKEY, which is freed here in any case. `nil` if there is none, or it is not a usable RSA key.
    ///
    /// - Parameter bits: The accepted sizes.
    init?(taking pointer: OpaquePointer?, bits: ClosedRange<Int> = RSAKey.bits) {
        guard let pointer else { return nil }
        self.pointer = pointer
        guard EVP_PKEY_is_a(pointer, "RSA") == 1, bits.contains(Int(EVP_PKEY_get_bits(pointer))),
            hasUsableNumbers
        else { return nil }
    }

    // Wipes the private part.
    deinit { EVP_PKEY_free(pointer) }

    /// Whether modulus and exponent are odd, and the exponent is neither 1, with which anyone could sign, nor above 33 bits. The
    /// parser accepts any.
    private var hasUsableNumbers: Bool {
        guard let modulus = number("n"), let exponent = number("e") else { return false }
        defer {
            BN_free(modulus)
            BN_free(exponent)
        }
        return BN_is_odd(modulus) == 1 && BN_is_odd(exponent) == 1 && (2...33).contains(BN_num_bits(exponent))
    }

    /// A BIGNUM of the key, which the caller frees.
    private func number(_ name: String) -> OpaquePointer? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, name, &number) == 1 else { return nil }
        return number
    }
}
