internal import CLibCrypto

/// scrypt (RFC 7914): makes guessing passwords costly in time and memory.
package enum Scrypt {
    /// The parameters are not valid for scrypt, or there is not enough memory for them.
    package struct Refused: Error {}

    /// Bytes derived from a password.
    ///
    /// - Parameters:
    ///   - rounds: The standard's N, a power of two above 1. Takes 128 · `rounds` · `blockSize` bytes of memory.
    ///   - blockSize: The standard's r.
    ///   - parallelism: The standard's p.
    package static func derive(
        _ password: [UInt8],
        salt: [UInt8],
        rounds: Int,
        blockSize: Int,
        parallelism: Int,
        count: Int
    ) throws(Refused) -> [UInt8] {
        // The C function only applies its own limits; no others are set here than the parameters require. None of the three is
        // above 2³², so nothing overflows twice.
        let limits = 1...(1 << 20)
        guard (2...1 << 30).contains(rounds), limits.contains(blockSize), limits.contains(parallelism), count > 0 else {
            throw Refused()
        }
        let memory = 128 * blockSize * (rounds + parallelism + 2)
        let derived = [UInt8](unsafeUninitializedCapacity: count) { derived, written in
            // Copies nothing and keeps nothing; 0 if it refuses the parameters or lacks memory.
            let result = password.withUnsafeBytes { password in
                EVP_PBE_scrypt_ex(
                    password.baseAddress?.assumingMemoryBound(to: CChar.self),
                    password.count,
                    salt,
                    salt.count,
                    UInt64(rounds),
                    UInt64(blockSize),
                    UInt64(parallelism),
                    UInt64(memory),
                    derived.baseAddress,
                    count,
                    LibCrypto.context.pointer,
                    nil
                )
            }
            written = result == 1 ? count : 0
        }
        guard derived.count == count else {
            forgetErrors()
            throw Refused()
        }
        return derived
    }
}
