package import PlugCore

/// The result of one or more pages: committed in one transaction, once all of their records are safe.
package struct StreamCommit: Sendable {
    /// The stream.
    package var stream: StreamID
    /// The pass that the pages belong to, as returned by `currentPass`. A commit for another pass is refused.
    package var pass: Int64
    /// Where the parts of the stream continue. Parts not listed stay where they are.
    package var states: [String: StreamState]
    /// Parts that the source has listed since the last commit, whether or not their states changed.
    package var met: [String]
    /// Whether a complete pass lists all existing parts: states of parts that no pass has listed for long are then removed.
    package var listsAllParts: Bool
    /// The proved records (delivered, duplicate or known), 16 bytes each: one ledger row. Empty for no row.
    package var ledger: [UInt8]
    /// What their records are about, if passes are compared: one inventory row, whose format belongs to the runtime. Empty
    /// for no row.
    package var inventory: [UInt8]
    /// Whether the pass's inventory rows are removed, because some of its pages were not compared.
    package var dropsInventory: Bool
    /// Whether the pass is complete: ledger and inventory rows of older passes are removed, and the next pass begins.
    package var completesPass: Bool
    /// Whether ledger rows of older passes stay all the same: no single pass reads everything that was ever read.
    package var keepsLedger: Bool
    /// Records that could not be delivered, with their reasons.
    package var deadLetters: [DeadLetter]
    /// Records that were refused alone: each counts one more run.
    package var refused: [RecordFingerprint]
    /// Records whose refusals are settled (finally stored, or dead-lettered) and forgotten.
    package var settled: [RecordFingerprint]
    /// Batches to be sent later, in order, behind those already waiting.
    package var outbox: [OutboxBatch]
    /// The stream's new profile; `nil` for no change.
    package var profile: StreamProfile?

    /// Creates a commit; everything except the stream and its pass may be omitted.
    package init(
        stream: StreamID,
        pass: Int64,
        states: [String: StreamState] = [:],
        met: [String] = [],
        listsAllParts: Bool = false,
        ledger: [UInt8] = [],
        inventory: [UInt8] = [],
        dropsInventory: Bool = false,
        completesPass: Bool = false,
        keepsLedger: Bool = false,
        deadLetters: [DeadLetter] = [],
        refused: [RecordFingerprint] = [],
        settled: [RecordFingerprint] = [],
        outbox: [OutboxBatch] = [],
        profile: StreamProfile? = nil
    ) {
        self.stream = stream
        self.pass = pass
        self.states = states
        self.met = met
        self.listsAllParts = listsAllParts
        self.ledger = ledger
        self.inventory = inventory
        self.dropsInventory = dropsInventory
        self.completesPass = completesPass
        self.keepsLedger = keepsLedger
        self.deadLetters = deadLetters
        self.refused = refused
        self.settled = settled
        self.outbox = outbox
        self.profile = profile
    }
}

/// How long the state of a part that is no longer listed is kept.
package enum PartAge {
    /// In complete passes: a parent that is missing now and then keeps the position of its children.
    package static let kept: Int64 = 16
    /// After how many passes it is recorded again that a part was met: not in every pass.
    static let noted: Int64 = 4
    /// The maximum number of parts removed by one commit.
    static let step = 1_000
}

extension RecordFingerprint {
    /// The number of bytes of a packed fingerprint.
    package static let packedSize = 16

    /// Packs fingerprints as stored in a row: 16 bytes each, big endian.
    package static func packed(_ fingerprints: [RecordFingerprint]) -> [UInt8] {
        Array(unsafeUninitializedCapacity: fingerprints.count * packedSize) { bytes, count in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            for fingerprint in fingerprints {
                bytes.storeBytes(of: fingerprint.high.bigEndian, toByteOffset: count, as: UInt64.self)
                bytes.storeBytes(of: fingerprint.low.bigEndian, toByteOffset: count + 8, as: UInt64.self)
                count += packedSize
            }
        }
    }

    /// The fingerprints of a row, in order. Bytes after the last whole one are ignored.
    package static func all(in packed: [UInt8]) -> [RecordFingerprint] {
        var all: [RecordFingerprint] = []
        all.reserveCapacity(packed.count / packedSize)
        forEach(in: packed) { all.append($0) }
        return all
    }

    /// Passes the fingerprints of a ledger row to `body`, in order. Bytes after the last whole one are ignored.
    package static func forEach(in packed: [UInt8], _ body: (RecordFingerprint) -> Void) {
        packed.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count - packedSize + 1, by: packedSize) {
                let high = bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                let low = bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self)
                body(RecordFingerprint(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low)))
            }
        }
    }
}
