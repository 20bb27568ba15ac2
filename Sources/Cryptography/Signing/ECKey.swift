internal import CLibCrypto

/// A libcrypto key on the curve P-256, with or without its private part.
///
/// - Note: `@unchecked Sendable` proof: as for `RSAKey`. The pointer is constant, the key is not modified, and `deinit` frees it
///   when there are no references left.
final class ECKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The largest size of a DER signature in bytes.
    var size: Int { Int(EVP_PKEY_get_size(pointer)) }

    /// Takes ownership of an EVP_PKEY, which is freed here in any case. `nil` if there is none, or it is not a key on this curve.
    /// The parser itself refuses points that are not on their curve.
    init?(taking pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
        guard EVP_PKEY_is_a(pointer, "EC") == 1, curve == "prime256v1" else {
            forgetErrors()
            return nil
        }
    }

    // Wipes the private part.
    deinit { EVP_PKEY_free(pointer) }

    /// libcrypto's name of the curve.
    private var curve: String? {
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        // Writes no more than the given capacity, with a final zero that it does not count.
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return nil }
        return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
