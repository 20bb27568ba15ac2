internal import Glibc
internal import PlugCore

/// Unpredictable random bytes, from the kernel.
///
/// Not libcrypto's own generator: it would be seeded from the same source at each start, and is slower for a few bytes.
package enum SecureRandom {
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

    /// Bytes that need not be wiped, such as a salt.
    package static func bytes(_ count: Int) -> [UInt8] {
        SecretBytes.random(count: count).withUnsafeBytes { Array($0) }
    }

    /// An unguessable text: the given number of bytes, base64url-encoded.
    package static func base64URL(bytes count: Int) -> String {
        // From wiped memory: only the text remains.
        SecretBytes.random(count: count).withUnsafeBytes { Base64URL.encode($0) }
    }

    /// The same in hexadecimal digits.
    package static func hexadecimal(bytes count: Int) -> String {
        SecretBytes.random(count: count).withUnsafeBytes { Hexadecimal.encoded($0) }
    }
}
