internal import Glibc

/// Unpredictable random bytes, from the kernel.
///
/// Not libcrypto's own generator: it would be seeded from the same source at each start, and is slower for a few bytes.
enum SecureRandom {
    /// Fills memory.
    static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var filled = 0
        while filled < buffer.count {
            // Fills up to 256 bytes completely, whatever signals arrive. Waits only if the machine has just started.
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<min(filled + 256, buffer.count)])
            precondition(getentropy(part.baseAddress, part.count) == 0, "the kernel gives no random bytes")
            filled += part.count
        }
    }
}
