package import PlugCore

/// What one page led to: committed in one transaction, once every record of the page is safe.
package struct StreamCommit: Sendable {
    /// The stream.
    package var stream: StreamID
    /// The pass that the page belongs to: what `currentPass` answered. A commit of another pass is refused.
    package var pass: Int64
    /// Where the parts of the stream continue. Parts that are not named stay where they are.
    package var states: [String: StreamState]
    /// Parts that the source has listed since the last commit, whether their states changed or not.
    package var met: [String]
    /// Whether a complete pass lists all parts there are: states of parts that no pass has listed for long go then.
    package var listsAllParts: Bool
    /// The records that are proved (delivered, duplicate or known), 16 bytes each: one ledger row. Empty for no row.
    package var ledger: [UInt8]
    /// What the page's records are about, where passes are compared with each other: one inventory row, whose bytes belong to the
    /// runtime. Empty for no row.
    package var inventory: [UInt8]
    /// Whether the inventory rows of the pass go: some of its pages were not compared.
    package var dropsInventory: Bool
    /// Whether the pass is complete: ledger and inventory rows of older passes go, and the next pass begins.
    package var completesPass: Bool
    /// Whether ledger rows of older passes stay all the same: no pass reads everything that was ever read.
    package var keepsLedger: Bool
    /// Records that could not be delivered, with their reasons.
    package var deadLetters: [DeadLetter]
    /// Records that were refused alone: each counts one run more.
    package var refused: [RecordFingerprint]
    /// Records whose refusals are settled (stored after all, or dead-lettered) and forgotten.
    package var settled: [RecordFingerprint]
    /// Batches that have to be sent later, in order, behind those that wait already.
    package var outbox: [OutboxBatch]
    /// What is known of the stream from now on; `nil` for no change.
    package var profile: StreamProfile?

    /// A commit; everything but the stream and its pass may be left out.
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

/// How long the state of a part is kept that is listed no more.
package enum PartAge {
    /// In complete passes: a parent that is missing now and then keeps the place of its children.
    package static let kept: Int64 = 16
    /// After how many passes it is written down again that a part was met: not with every pass.
    static let noted: Int64 = 4
    /// How many parts go with one commit.
    static let step = 1_000
}

extension RecordFingerprint {
    /// How many bytes a packed fingerprint has.
    package static let packedSize = 16

    /// Appends the 16 bytes of a fingerprint, big endian, as a ledger row holds them.
    package func pack(into bytes: inout [UInt8]) {
        withUnsafeBytes(of: high.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: low.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// Fingerprints as a row holds them.
    package static func packed(_ fingerprints: some Collection<RecordFingerprint>) -> [UInt8] {
        var packed: [UInt8] = []
        packed.reserveCapacity(fingerprints.count * packedSize)
        for fingerprint in fingerprints { fingerprint.pack(into: &packed) }
        return packed
    }

    /// The fingerprints of a row, in order. Bytes after the last whole one are ignored.
    package static func all(in packed: [UInt8]) -> [RecordFingerprint] {
        var all: [RecordFingerprint] = []
        all.reserveCapacity(packed.count / packedSize)
        forEach(in: packed) { all.append($0) }
        return all
    }

    /// Hands over the fingerprints of a ledger row, in order. Bytes after the last whole one are ignored.
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
