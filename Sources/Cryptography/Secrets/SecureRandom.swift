internal import Glibc

/// Random bytes that nobody can predict, from the kernel.
///
/// Not libcrypto's own generator: it would be seeded from the same place at each start, and is slower for a few bytes.
enum SecureRandom {
    /// Fills memory.
    static func fill(_ buffer: UnsafeMutableRawBufferPointer) {
        var filled = 0
        while filled < buffer.count {
            // Fills all of at most 256 bytes, whatever signals come. Waits only where the machine has just started.
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<min(filled + 256, buffer.count)])
            precondition(getentropy(part.baseAddress, part.count) == 0, "the kernel gives no random bytes")
            filled += part.count
        }
    }
}
