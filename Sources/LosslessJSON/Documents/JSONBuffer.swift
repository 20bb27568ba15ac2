internal import CSimdJSON

/// Bytes followed by the padding that the reader needs: the one buffer that a page lives in, from socket to slice.
///
/// - Note: `@unchecked Sendable` proof: the storage is written only by `append`, `reserve` and `removeAll`, which the
///   owner calls before it hands the buffer on; every API that takes a buffer from another thread only reads it. Freed
///   memory soon holds another page's bytes, so nothing may point into a buffer that still grows.
public final class JSONBuffer: @unchecked Sendable {
    private var storage: UnsafeMutableRawBufferPointer
    /// How many bytes it holds.
    public private(set) var count = 0

    /// simdjson reads there and ignores what it finds. The first byte after the content is zero (`JSONGrammar`).
    private static let padding = Int(plughost_simdjson_padding)

    /// An empty buffer with room for `capacity` bytes.
    public init(capacity: Int = 4096) {
        storage = PageMemory.allocate(max(64, capacity) + Self.padding)
        storage[0] = 0
    }

    /// A buffer that holds a copy of these bytes.
    public convenience init(_ bytes: some Collection<UInt8>) {
        self.init(capacity: bytes.count)
        if bytes.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
            Array(bytes).withUnsafeBytes { append($0) }
        }
    }

    deinit { PageMemory.free(storage) }

    private var capacity: Int { storage.count - Self.padding }

    /// Adds bytes at the end, doubling the capacity if it is too small.
    public func append(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        reserve(count + bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: bytes)
        count += bytes.count
        storage[count] = 0
    }

    /// Makes room for `wanted` bytes in all.
    public func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        let larger = PageMemory.allocate(max(wanted, capacity * 2) + Self.padding)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[...count]))
        PageMemory.free(storage)
        storage = larger
    }

    /// Empties it and keeps the capacity.
    public func removeAll() {
        count = 0
        storage[0] = 0
    }

    /// The bytes, valid inside the closure (and as long as the buffer is neither changed nor released).
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(bytes) }
    }

    /// The bytes, for a view that keeps the buffer alive itself.
    var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: storage.bindMemory(to: UInt8.self)[..<count])
    }
}
