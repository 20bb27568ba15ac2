internal import CLibCrypto

/// A key on the curve P-256 of libcrypto, with its private part or without.
///
/// - Note: `@unchecked Sendable` proof: as `RSAKey`'s. The pointer is constant, nobody modifies the key, and `deinit` frees it
///   when nobody has a reference.
final class ECKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The most bytes that a signature in DER has.
    var size: Int { Int(EVP_PKEY_get_size(pointer)) }

    /// Takes over an EVP_PKEY, which is freed here in any case. `nil` if there is none, or it is no key on this curve. The
    /// parser itself refuses points that are not on their curve.
    init?(taking pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
        guard EVP_PKEY_is_a(pointer, "EC") == 1, curve == "prime256v1" else {
            forgetErrors()
            return nil
        }
    }

    // Wipes what is private.
    deinit { EVP_PKEY_free(pointer) }

    /// libcrypto's name of the curve.
    private var curve: String? {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        // Writes at most as much as there is place for, with a final zero that it does not count.
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return nil }
        return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
