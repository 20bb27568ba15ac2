internal import CLibCrypto

/// Bytes that nobody else may see, such as a key. They lie in memory once, and are wiped when the last reference goes.
///
/// - Note: `@unchecked Sendable` proof: the bytes are written in `init`, only read afterwards, and freed by `deinit`, when
///   nobody has a reference.
package final class SecretBytes: @unchecked Sendable {
    private let storage: UnsafeMutableRawBufferPointer

    /// Bytes that `fill` writes; they are zeros before. What it has written when it throws is wiped.
    package init<Failure: Error>(
        count: Int,
        fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        storage = .allocate(byteCount: count, alignment: 16)
        storage.initializeMemory(as: UInt8.self, repeating: 0)
        try fill(storage)
    }

    /// A copy; the original stays its owner's.
    package convenience init(_ bytes: [UInt8]) { self.init(count: bytes.count) { $0.copyBytes(from: bytes) } }

    /// Fresh random bytes, for a new key.
    package static func random(count: Int) -> SecretBytes { SecretBytes(count: count) { SecureRandom.fill($0) } }

    deinit {
        // Unlike a loop of ours, the compiler cannot leave it out.
        OPENSSL_cleanse(storage.baseAddress, storage.count)
        storage.deallocate()
    }

    /// How many bytes there are.
    package var count: Int { storage.count }

    /// Lends the bytes; the pointer ends with the call.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Not before `body` has ended is `self` freed: `storage` is its member.
        try withExtendedLifetime(self) { () throws(Failure) in try body(UnsafeRawBufferPointer(storage)) }
    }
}
