/// Turns the text of one file into records: a state machine that is fed piece by piece.
///
/// It stops when the block is full, however much one piece holds, and continues when it is called again.
package protocol RecordDecoder {
    /// Takes a piece of UTF-8, and adds the records that it completes.
    mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault)
    /// Ends the file, and adds the record of a last line without a line end. Call it again while records are pending.
    mutating func finish(into block: BlockBuilder) throws(DecodingFault)
    /// Whether records may be pending because the block was full: an empty piece continues with them.
    var isBehind: Bool { get }
}

/// What has arrived of an incomplete record.
struct Carry {
    private var bytes: [UInt8] = []
    /// How many of the bytes have been scanned without finding the record's end.
    private(set) var seen = 0

    /// Adds a piece and lets `body` take complete records from the front.
    ///
    /// - Parameter body: Takes all bytes and the number already scanned; returns how many are consumed, and how many after those
    ///   have been scanned.
    mutating func add(
        _ piece: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer, Int) throws(DecodingFault) -> (taken: Int, seen: Int)
    ) throws(DecodingFault) {
        bytes.append(contentsOf: piece)
        let seen = seen
        var outcome: Result<(taken: Int, seen: Int), DecodingFault> = .success((0, 0))
        bytes.withUnsafeBytes { all in
            do throws(DecodingFault) { outcome = .success(try body(all, seen)) } catch { outcome = .failure(error) }
        }
        let (taken, looked) = try outcome.get()
        if taken == bytes.count { bytes.removeAll(keepingCapacity: true) } else { bytes.removeFirst(taken) }
        self.seen = looked
    }

    /// How many bytes are pending.
    var count: Int { bytes.count }
}
