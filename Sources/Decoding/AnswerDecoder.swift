/// Decodes an answer, block by block, for whichever task reads its stream.
///
/// An actor, because only one task at a time may use a `BlockDecoder`.
package actor AnswerDecoder {
    private let decoder: BlockDecoder
    /// A block that was peeked at before a caller takes it.
    private var first: DecodedBlock?

    /// Decodes what a source yields; see `BlockDecoder`.
    package init(
        _ source: any ByteSource & Sendable,
        _ format: RecordFormat,
        charset: Charset? = nil,
        declared: String? = nil,
        now: Int64 = 0,
        limits: DecodingLimits = DecodingLimits()
    ) {
        decoder = BlockDecoder(source, format, charset: charset, declared: declared, now: now, limits: limits)
    }

    /// The next block, `nil` after the last one. An answer without records has none.
    ///
    /// - Throws: `DecodingFault` once all whole records before the fault have been returned, and again on every later call.
    package func next() throws(DecodingFault) -> DecodedBlock? {
        if let first = first.take() { return first }
        return try decoder.next()
    }

    /// Whether the answer begins with records that it yields in pieces. If not, do not ask for the next block.
    package func beginsWithPieces() throws(DecodingFault) -> Bool {
        first = try decoder.next()
        return first.map { !$0.isWhole && $0.count > 0 } ?? false
    }

    /// What surrounds the list of a JSON file, if that is kept, as far as it has arrived; complete once the last block is read.
    package func rest(of format: RecordFormat) -> JSONRest? {
        guard case .json(let list) = format, list.keepsRest else { return nil }
        return decoder.rest
    }
}
