/// Turns the text of one file into records: a state machine that is fed with pieces.
///
/// It stops when the block is full, however much one piece holds, and goes on when it is called again.
package protocol RecordDecoder {
    /// Takes a piece of UTF-8 in, and adds the records that are complete with it.
    mutating func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault)
    /// Ends the file, and adds what a last line without a line end has. To be called again while records wait.
    mutating func finish(into block: BlockBuilder) throws(DecodingFault)
    /// Whether records may wait because the block was full: an empty piece goes on with them.
    var isBehind: Bool { get }
}

/// What has come of a record that is not complete yet.
struct Carry {
    private var bytes: [UInt8] = []
    /// How many of the bytes were looked at without finding the record's end.
    private(set) var seen = 0

    /// Adds a piece and lets `body` take complete records from the front.
    ///
    /// - Parameter body: Given all bytes, and how many of them it has looked at before; gives how many are done with, and how
    ///   many behind those it has looked at.
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

    /// How many bytes wait.
    var count: Int { bytes.count }
}
