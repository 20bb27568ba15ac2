package import PlugCore

/// A batch to be sent later: frozen, so that every attempt sends the same bytes.
package struct OutboxBatch: Sendable, Equatable {
    /// The endpoint.
    package var path: DataPath
    /// The canonical records of one request, with the texts of their `_id`.
    package var records: RecordBlock
    /// The fingerprints of the records, 16 bytes each, in the same order.
    package var fingerprints: [UInt8]
    /// How often the PDA failed to answer it while it accepted other batches.
    package var unanswered: Int

    /// Creates a batch for the outbox.
    package init(path: DataPath, records: RecordBlock, fingerprints: [UInt8], unanswered: Int = 0) {
        self.path = path
        self.records = records
        self.fingerprints = fingerprints
        self.unanswered = unanswered
    }
}

/// A batch that waits in the outbox.
package struct StoredOutboxBatch: Sendable, Equatable {
    /// Its number; batches of a stream are sent in the order of their numbers.
    package var id: Int64
    /// The stream it came from.
    package var stream: StreamID
    /// When it was queued, in microseconds since 1970.
    package var at: Int64
    /// The batch.
    package var batch: OutboxBatch

    /// Creates a stored batch.
    package init(id: Int64, stream: StreamID, at: Int64, batch: OutboxBatch) {
        self.id = id
        self.stream = stream
        self.at = at
        self.batch = batch
    }
}

/// The size of an outbox.
package struct OutboxSize: Sendable, Equatable {
    /// The number of batches.
    package var batches: Int
    /// The size of their bodies in bytes, as they will be posted.
    package var bytes: Int

    /// Creates a size.
    package init(batches: Int = 0, bytes: Int = 0) {
        self.batches = batches
        self.bytes = bytes
    }
}

/// The outbox of one stream, as far as is known without opening it.
package struct WaitingOutbox: Sendable, Equatable {
    /// The stream whose batches wait.
    package var stream: StreamID
    /// The amount waiting.
    package var size: OutboxSize
    /// How many records wait; `nil` if some batch was queued by an earlier version, which did not count them.
    package var records: Int?
    /// The first and the last batch's number.
    package var ids: ClosedRange<Int64>
    /// When the oldest batch was queued, in microseconds since 1970.
    package var since: Int64
    /// How many of the batches the PDA failed to answer while it accepted others.
    package var unanswered: Int

    /// Creates an outbox.
    package init(
        stream: StreamID,
        size: OutboxSize,
        records: Int?,
        ids: ClosedRange<Int64>,
        since: Int64,
        unanswered: Int = 0
    ) {
        self.stream = stream
        self.size = size
        self.records = records
        self.ids = ids
        self.since = since
        self.unanswered = unanswered
    }
}

/// A waiting batch, as far as is known without opening it.
package struct WaitingBatch: Sendable, Equatable {
    /// Its number.
    package var id: Int64
    /// The name of its stream.
    package var stream: String
    /// When it was queued, in microseconds since 1970.
    package var at: Int64
    /// The number of its records; `nil` if it was queued by an earlier version, which did not count them.
    package var records: Int?
    /// The size of its body in bytes, as it will be posted.
    package var bytes: Int

    /// Creates a batch.
    package init(id: Int64, stream: String, at: Int64, records: Int?, bytes: Int) {
        (self.id, self.stream, self.at, self.records, self.bytes) = (id, stream, at, records, bytes)
    }
}

extension OutboxBatch {
    /// Its fields in the form in which they are sealed.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(path.namespace)
        writer.append(path.endpoint)
        writer.append(records.bytes)
        writer.append(records.identities)
        writer.append(fingerprints)
        for entry in records.entries {
            writer.append(Int64(entry.range.count))
            writer.append(Int64(entry.identity.count))
        }
        // After all the others: batches of earlier versions end here.
        if !records.things.isEmpty { for index in records.entries.indices { writer.append(records.things[index]) } }
        return writer.bytes
    }

    /// Reads what `encoded` wrote; `nil` for anything else.
    init?(decoding bytes: [UInt8], unanswered: Int) {
        var reader = ByteReader(bytes)
        guard let namespace = reader.text(), let endpoint = reader.text(),
            let path = DataPath(namespace: namespace, endpoint: endpoint),
            let body = reader.field(), let identities = reader.field(), let fingerprints = reader.field()
        else { return nil }
        var records = RecordBlock()
        (records.bytes, records.identities) = (body, identities)
        var (record, identity) = (0, 0)
        for _ in 0..<fingerprints.count / RecordFingerprint.packedSize {
            guard let length = reader.number(), let identityLength = reader.number(),
                0...(body.count - record) ~= Int(length), 0...(identities.count - identity) ~= Int(identityLength)
            else { return nil }
            records.entries.append(
                RecordBlock.Entry(
                    range: record..<record + Int(length),
                    identity: identity..<identity + Int(identityLength)
                )
            )
            record += Int(length)
            identity += Int(identityLength)
        }
        if !reader.isAtEnd {
            for index in records.entries.indices {
                guard let thing = reader.field() else { return nil }
                records.things.append(thing, at: index)
            }
        }
        guard record == body.count, identity == identities.count, reader.isAtEnd,
            fingerprints.count == records.entries.count * RecordFingerprint.packedSize
        else { return nil }
        self.init(path: path, records: records, fingerprints: fingerprints, unanswered: unanswered)
    }
}
