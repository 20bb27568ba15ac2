internal import CLibCrypto

/// Secret bytes, such as a key. They are in memory once, and are wiped when the last reference goes.
///
/// - Note: `@unchecked Sendable` proof: the bytes are written in `init`, only read afterwards, and freed by `deinit`, when there
///   are no references left.
package final class SecretBytes: @unchecked Sendable {
    private let storage: UnsafeMutableRawBufferPointer

    /// Bytes written by `fill`, initially zero. If it throws, whatever it has written is wiped.
    package init<Failure: Error>(
        count: Int,
        fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        storage = .allocate(byteCount: count, alignment: 16)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(storage)
    }

    /// A copy; the original stays with its owner.
    package convenience init(_ bytes: [UInt8]) { self.init(count: bytes.count) { $0.copyBytes(from: bytes) } }

    /// Fresh random bytes, for a new key.
    package static func random(count: Int) -> SecretBytes { SecretBytes(count: count) { SecureRandom.fill($0) } }

    deinit {
        // Unlike a loop of ours, the compiler cannot remove it.
        OPENSSL_cleanse(storage.baseAddress, storage.count)
        storage.deallocate()
    }

    /// The number of bytes.
    package var count: Int { storage.count }

    /// Lends the bytes; the pointer is valid during the call.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `self` is not freed before `body` has ended: it owns `storage`.
        try withExtendedLifetime(self) { () throws(Failure) in try body(UnsafeRawBufferPointer(storage)) }
    }
}
