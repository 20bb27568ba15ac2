internal import CLibCrypto

/// The two encodings of an ECDSA signature over P-256: DER, as in libcrypto, and the two numbers concatenated, as in JWT (RFC
/// 7518, section 3.4).
enum ECSignature {
    /// The size of each of the two numbers in bytes.
    private static let numberSize = 32

    /// The two numbers of a DER signature; `nil` if it is not one.
    static func numbers(of der: [UInt8]) -> [UInt8]? {
        let read: OpaquePointer? = der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            // Reads at most that many bytes, and advances `start`; returns an object for the caller to free.
            return d2i_ECDSA_SIG(nil, &start, bytes.count)
        }
        guard let signature = read else { return nil }
        defer { ECDSA_SIG_free(signature) }
        var numbers = [UInt8](repeating: 0, count: 2 * numberSize)
        let size = Int32(numberSize)
        let isWritten = numbers.withUnsafeMutableBufferPointer { numbers in
            // The signature owns the numbers. Each is zero-padded on the left; -1 if it is longer.
            BN_bn2binpad(ECDSA_SIG_get0_r(signature), numbers.baseAddress, size) == size
                && BN_bn2binpad(ECDSA_SIG_get0_s(signature), numbers.baseAddress.map { $0 + numberSize }, size) == size
        }
        return isWritten ? numbers : nil
    }

    /// A signature in DER; `nil` unless there are two numbers.
    static func der(of numbers: [UInt8]) -> [UInt8]? {
        guard numbers.count == 2 * numberSize else { return nil }
        let signature = made(ECDSA_SIG_new())
        defer { ECDSA_SIG_free(signature) }
        let (first, second) = numbers.withUnsafeBufferPointer { numbers in
            (
                made(BN_bin2bn(numbers.baseAddress, Int32(numberSize), nil)),
                made(BN_bin2bn(numbers.baseAddress.map { $0 + numberSize }, Int32(numberSize), nil))
            )
        }
        // Takes ownership of both numbers.
        succeeded(ECDSA_SIG_set0(signature, first, second))
        let size = Int(i2d_ECDSA_SIG(signature, nil))
        return [UInt8](unsafeUninitializedCapacity: size) { der, count in
            var start = der.baseAddress
            // Writes as much as it announced before, and advances `start`.
            count = Int(i2d_ECDSA_SIG(signature, &start))
        }
    }
}
