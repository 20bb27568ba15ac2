internal import CLibCrypto

/// scrypt (RFC 7914): makes guessing passwords costly in time and memory.
package enum Scrypt {
    /// The parameters are none that scrypt has, or memory is short for them.
    package struct Refused: Error {}

    /// Bytes derived from a password.
    ///
    /// - Parameters:
    ///   - rounds: N of the standard, a power of two above 1. Takes 128 · `rounds` · `blockSize` bytes of memory.
    ///   - blockSize: r of the standard.
    ///   - parallelism: p of the standard.
    package static func derive(
        _ password: [UInt8],
        salt: [UInt8],
        rounds: Int,
        blockSize: Int,
        parallelism: Int,
        count: Int
    ) throws(Refused) -> [UInt8] {
        // The C function takes no limits but its own; here there are none but what the parameters ask for. None of the three
        // is above 2³², so that nothing overflows twice.
        let limits = 1...(1 << 20)
        guard (2...1 << 30).contains(rounds), limits.contains(blockSize), limits.contains(parallelism), count > 0 else {
            throw Refused()
        }
        let memory = 128 * blockSize * (rounds + parallelism + 2)
        let derived = [UInt8](unsafeUninitializedCapacity: count) { derived, written in
            // Copies nothing and keeps nothing; 0 where it refuses the parameters or has no memory.
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
