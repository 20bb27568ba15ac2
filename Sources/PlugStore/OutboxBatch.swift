public import PlugCore

/// A batch that has to be sent later, byte for byte as it was frozen.
public struct OutboxBatch: Sendable, Equatable {
    /// Where it goes.
    public var path: DataPath
    /// The JSON array, exactly as it will be posted.
    public var bytes: [UInt8]
    /// The fingerprints of its records, 16 bytes each, in the order of the array.
    public var fingerprints: [UInt8]
    /// The `_id` texts of its records, in the same order; empty with `identity: off`.
    public var identities: [String]

    /// A batch for the outbox.
    public init(path: DataPath, bytes: [UInt8], fingerprints: [UInt8], identities: [String]) {
        self.path = path
        self.bytes = bytes
        self.fingerprints = fingerprints
        self.identities = identities
    }
}

/// A batch that waits in the outbox.
public struct StoredOutboxBatch: Sendable, Equatable {
    /// Its number; batches of a stream are sent in the order of their numbers.
    public var id: Int64
    /// The stream it came from.
    public var stream: StreamID
    /// When it was queued, in microseconds since 1970.
    public var at: Int64
    /// The batch.
    public var batch: OutboxBatch

    /// A stored batch.
    public init(id: Int64, stream: StreamID, at: Int64, batch: OutboxBatch) {
        self.id = id
        self.stream = stream
        self.at = at
        self.batch = batch
    }
}

/// How much waits in an outbox.
public struct OutboxSize: Sendable, Equatable {
    /// Batches.
    public var batches: Int
    /// Bytes of their bodies as they are stored.
    public var bytes: Int

    /// A size.
    public init(batches: Int = 0, bytes: Int = 0) {
        self.batches = batches
        self.bytes = bytes
    }
}
