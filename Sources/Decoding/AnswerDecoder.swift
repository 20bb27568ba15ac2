/// Decodes an answer, block by block, for whichever task reads its stream.
///
/// An actor, because a `BlockDecoder` is for one task at a time.
package actor AnswerDecoder {
    private let decoder: BlockDecoder

    /// Decodes what a source gives; see `BlockDecoder`.
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
    /// - Throws: `DecodingFault` once all whole records before the fault were given, and then again and again.
    package func next() throws(DecodingFault) -> DecodedBlock? { try decoder.next() }
}
