internal import CSimdJSON

/// Bytes with the padding that the reader needs behind them: the one buffer that a page lives in, from socket to slice.
///
/// - Note: `@unchecked Sendable` proof: the storage is written only by `append` and `removeAll`, which the owner calls
///   before it hands the buffer on; every API that takes a buffer from another thread only reads it.
public final class JSONBuffer: @unchecked Sendable {
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// How many bytes it holds.
    public private(set) var count = 0

    private static let padding = Int(plughost_simdjson_padding)

    /// An empty buffer with room for `capacity` bytes.
    public init(capacity: Int = 4096) {
        self.capacity = max(64, capacity)
        storage = .allocate(capacity: self.capacity + Self.padding)
        storage.initialize(repeating: 0, count: self.capacity + Self.padding)
    }

    /// A buffer that holds a copy of these bytes.
    public convenience init(_ bytes: some Collection<UInt8>) {
        self.init(capacity: bytes.count)
        if bytes.withContiguousStorageIfAvailable({ append(UnsafeRawBufferPointer($0)) }) == nil {
            Array(bytes).withUnsafeBytes { append($0) }
        }
    }

    deinit { storage.deallocate() }

    /// Adds bytes at the end; doubles the room when it is short.
    public func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress, !bytes.isEmpty else { return }
        reserve(count + bytes.count)
        UnsafeMutableRawPointer(storage + count).copyMemory(from: source, byteCount: bytes.count)
        count += bytes.count
    }

    /// Makes room for `wanted` bytes in all.
    public func reserve(_ wanted: Int) {
        guard wanted > capacity else { return }
        let grown = max(wanted, capacity * 2)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: grown + Self.padding)
        larger.update(from: storage, count: count)
        (larger + count).initialize(repeating: 0, count: grown + Self.padding - count)
        storage.deallocate()
        storage = larger
        capacity = grown
    }

    /// Empties it and keeps the room.
    public func removeAll() { count = 0 }

    /// The bytes, valid inside the closure (and as long as the buffer is neither changed nor released).
    public func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(UnsafeBufferPointer(start: storage, count: count)) }
    }

    /// Where the bytes lie, for a view that keeps the buffer alive itself.
    var base: UnsafePointer<UInt8> { UnsafePointer(storage) }
}
