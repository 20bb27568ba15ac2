/// Decodes an answer, block by block: it holds a piece of the answer, a record and a block, however large the answer is.
///
/// An actor, because decompressors and parsers are for one task at a time, and whoever reads a stream may be any task.
package actor AnswerDecoder {
    private let format: RecordFormat
    private let limits: DecodingLimits
    private let given: Charset?
    private let declared: Charset?
    private let decompressor: Decompressor
    private let block: BlockBuilder
    private var current: (transcoder: Transcoder, decoder: any RecordDecoder)?
    private var isOver = false
    private var replaced = 0

    /// Decodes what a source gives.
    ///
    /// - Parameters:
    ///   - charset: The encoding, where the manifest says it.
    ///   - declared: The encoding that the answer's header names.
    package init(
        _ source: any ByteSource,
        _ format: RecordFormat,
        charset: Charset? = nil,
        declared: Charset? = nil,
        limits: DecodingLimits = DecodingLimits()
    ) {
        self.format = format
        self.limits = limits
        given = charset
        self.declared = declared
        decompressor = Decompressor(source, limits)
        block = BlockBuilder(limits)
    }

    /// The next block, `nil` after the last one. An answer without records has none.
    ///
    /// - Throws: `DecodingFault`; what came before it was given, or is lost with it where it is in the same block.
    package func next() throws(DecodingFault) -> DecodedBlock? {
        do throws(DecodingFault) {
            while !isOver, !block.isFull { try step() }
        } catch {
            var fault = error
            fault.file = fault.file ?? block.file
            throw fault
        }
        if block.isEmpty { return nil }
        var sealed = try block.seal()
        (sealed.replaced, replaced) = (replaced, 0)
        return sealed
    }

    private func step() throws(DecodingFault) {
        switch try decompressor.next() {
        case .fileStart(let name): block.file = name
        case .bytes(let bytes):
            var (transcoder, decoder) = try file()
            // The decoder is nowhere else while it works, so that nothing of it is copied.
            current = nil
            try transcoder.take(bytes) { text throws(DecodingFault) in try decoder.take(text, into: block) }
            current = (transcoder, decoder)
        case .fileEnd:
            var (transcoder, decoder) = try file()
            current = nil
            try transcoder.finish { text throws(DecodingFault) in try decoder.take(text, into: block) }
            try decoder.finish(into: block)
            replaced += transcoder.replaced
            block.file = nil
        case .end: isOver = true
        }
    }

    /// What reads the current file.
    private func file() throws(DecodingFault) -> (Transcoder, any RecordDecoder) {
        if let current { return current }
        let transcoder = Transcoder(
            given: given,
            declared: declared,
            isXML: format.isXML,
            trustsUTF8: format.trustsUTF8
        )
        return (transcoder, try format.decoder(limits))
    }
}
