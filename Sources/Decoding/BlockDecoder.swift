/// Decodes an answer or a file block by block, holding one piece of it, one record and one block, however large it is.
///
/// Not Sendable: one task or thread at a time uses it, as with decompressors and parsers. It runs on the caller's thread.
package final class BlockDecoder {
    private let format: RecordFormat
    private let limits: DecodingLimits
    private let given: Charset?
    private let declared: String?
    private let now: Int64
    private let isCancelled: () -> Bool
    private let decompressor: Decompressor
    private let block: BlockBuilder
    private var current: (transcoder: Transcoder, decoder: any RecordDecoder)?
    /// Whether the current file has arrived in full and only its last records are still to come.
    private var isEnding = false
    private var isOver = false
    /// The fault that ended reading; it is permanent.
    private var fault: DecodingFault?
    private var replaced = 0

    /// Decodes what a source yields.
    ///
    /// - Parameters:
    ///   - charset: The encoding, if the manifest states it.
    ///   - declared: The encoding named in the answer's header.
    ///   - now: Seconds since 1970, for formats with a window around it.
    ///   - isCancelled: Polled from time to time; the task's own state is not visible on threads of one's own.
    package init(
        _ source: any ByteSource,
        _ format: RecordFormat,
        charset: Charset? = nil,
        declared: String? = nil,
        now: Int64 = 0,
        limits: DecodingLimits = DecodingLimits(),
        isCancelled: @escaping () -> Bool = { Task.isCancelled }
    ) {
        self.isCancelled = isCancelled
        self.format = format
        self.limits = limits
        given = charset
        // JSON is UTF-8 (RFC 8259, 8.1), whatever a server's framework puts in its header.
        self.declared = format == .jsonLines ? nil : declared
        self.now = now
        decompressor = Decompressor(source, limits)
        block = BlockBuilder(limits)
    }

    /// What surrounds the list of a JSON file, as far as it has arrived, if that is kept; for a single file only.
    package var rest: JSONRest { block.rest }

    /// The next block, `nil` after the last one. An answer without records has none.
    ///
    /// - Throws: `DecodingFault` once all whole records before the fault have been returned, and again on every later call.
    package func next() throws(DecodingFault) -> DecodedBlock? {
        if fault == nil {
            do throws(DecodingFault) { try fill() } catch {
                if error.kind == .interrupted { throw error }
                fault = error
                fault?.file = error.file ?? block.file
            }
        }
        replaced += block.replaced
        block.replaced = 0
        if !block.isEmpty || replaced > 0 || block.hasNotes {
            do throws(DecodingFault) {
                var sealed = try block.seal()
                (sealed.replaced, replaced) = (replaced, 0)
                sealed.notes = block.takeNotes()
                return sealed
            } catch {
                fault = fault ?? error
                throw error
            }
        }
        if let fault { throw fault }
        return nil
    }

    private func fill() throws(DecodingFault) {
        var steps = 0
        while !isOver, !block.isFull {
            // Megabytes may hold no record at all.
            if steps & 63 == 0, isCancelled() { throw DecodingFault(.interrupted, "it was interrupted") }
            steps += 1
            try step()
        }
    }

    private func step() throws(DecodingFault) {
        if isEnding || current?.decoder.isBehind == true { return try goOn() }
        switch try decompressor.next() {
        case .fileStart(let name): block.file = name
        case .bytes(let bytes):
            var (transcoder, decoder) = try file()
            // The decoder is held nowhere else while it works, so that nothing in it is copied.
            current = nil
            try count(transcoder) { () throws(DecodingFault) in
                try transcoder.take(bytes) { text throws(DecodingFault) in try decoder.take(text, into: block) }
            }
            current = (transcoder, decoder)
        case .fileEnd:
            var (transcoder, decoder) = try file()
            current = nil
            try count(transcoder) { () throws(DecodingFault) in
                try transcoder.finish { text throws(DecodingFault) in try decoder.take(text, into: block) }
            }
            current = (transcoder, decoder)
            isEnding = true
        case .end: isOver = true
        }
    }

    /// Continues with what has already arrived.
    private func goOn() throws(DecodingFault) {
        guard let transcoder = current?.transcoder, var decoder = current?.decoder else { return }
        current = nil
        if isEnding {
            try decoder.finish(into: block)
        } else {
            try decoder.take(UnsafeRawBufferPointer(start: nil, count: 0), into: block)
        }
        if isEnding, !decoder.isBehind {
            isEnding = false
            block.file = nil
        } else {
            current = (transcoder, decoder)
        }
    }

    /// Adds what `body` replaces, even if it fails.
    private func count(_ transcoder: Transcoder, _ body: () throws(DecodingFault) -> Void) throws(DecodingFault) {
        let before = transcoder.replaced
        defer { replaced += transcoder.replaced - before }
        try body()
    }

    /// The decoder of the current file.
    private func file() throws(DecodingFault) -> (Transcoder, any RecordDecoder) {
        if let current { return current }
        let transcoder = Transcoder(
            given: given,
            declared: declared,
            isXML: format.isXML,
            isHTML: format == .tables,
            trustsUTF8: format.trustsUTF8
        )
        return (transcoder, try format.decoder(limits, now: now))
    }
}
