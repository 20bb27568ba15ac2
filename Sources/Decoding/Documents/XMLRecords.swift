/// The records of an XML file.
///
/// What can be repaired is. A file that is not well-formed even so ends with a fault: nothing after a broken tag can be trusted.
package final class XMLRecords: RecordDecoder {
    /// How many bytes are parsed between checks for a full block. More at a time is no faster; less makes libxml2 rescan a long
    /// tag more often.
    private static let slice = 16 << 10

    private let parser: XMLParser
    private var beginning = XMLBeginning()
    private var repair = XMLRepair()
    /// What arrived while the block was full.
    private var waiting: [UInt8] = []
    private var hasEnded = false

    /// A decoder of one file, whose records are elements at a path.
    package convenience init(_ options: XMLOptions = XMLOptions(), _ limits: DecodingLimits = DecodingLimits())
        throws(DecodingFault)
    {
        try self.init(XMLElements(options), limits)
    }

    /// A decoder of one file, whose records are the entries of a feed.
    package static func feed(_ limits: DecodingLimits = DecodingLimits()) throws(DecodingFault) -> XMLRecords {
        try XMLRecords(FeedEntries(), limits)
    }

    private init(_ shape: any XMLShape, _ limits: DecodingLimits) throws(DecodingFault) {
        parser = try XMLParser(shape, limit: limits.record)
    }

    package var isBehind: Bool { !waiting.isEmpty }

    package func take(_ bytes: UnsafeRawBufferPointer, into block: BlockBuilder) throws(DecodingFault) {
        try explaining { () throws(DecodingFault) in
            if waiting.isEmpty { return try parse(bytes, isEnd: false, block) }
            let all = waiting + bytes
            waiting = []
            try parse(all, isEnd: false, block)
        }
    }

    package func finish(into block: BlockBuilder) throws(DecodingFault) {
        try explaining { () throws(DecodingFault) in
            let all = waiting
            waiting = []
            try parse(all, isEnd: true, block)
            guard waiting.isEmpty, !hasEnded else { return }
            hasEnded = true
            let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
            try parse(nothing, isEnd: true, lines: beginning.skippedLines, block)
            try parser.take(nothing, isEnd: true, skippedLines: beginning.skippedLines, into: block)
            if parser.isFailure { throw DecodingFault(.otherFormat, XMLFailure.reason) }
        }
    }

    private func explaining(_ body: () throws(DecodingFault) -> Void) throws(DecodingFault) {
        do throws(DecodingFault) { try body() } catch { throw parser.explained(error) }
    }

    private func parse(_ bytes: [UInt8], isEnd: Bool, _ block: BlockBuilder) throws(DecodingFault) {
        var outcome: Result<Void, DecodingFault> = .success(())
        bytes.withUnsafeBytes { all in
            do throws(DecodingFault) { try parse(all, isEnd: isEnd, block) } catch { outcome = .failure(error) }
        }
        try outcome.get()
    }

    private func parse(_ bytes: UnsafeRawBufferPointer, isEnd: Bool, _ block: BlockBuilder) throws(DecodingFault) {
        try beginning.take(bytes, isEnd: isEnd) { bytes, lines throws(DecodingFault) in
            var at = 0
            while at < bytes.count {
                if block.isFull {
                    waiting += bytes[at...]
                    return
                }
                let end = min(bytes.count, at + Self.slice)
                let piece = UnsafeRawBufferPointer(rebasing: bytes[at..<end])
                try parse(piece, isEnd: false, lines: lines, block)
                at = end
            }
        }
    }

    private func parse(_ piece: UnsafeRawBufferPointer, isEnd: Bool, lines: Int, _ block: BlockBuilder)
        throws(DecodingFault)
    {
        try repair.take(piece, isEnd: isEnd, skippedLines: lines, into: block) { bytes throws(DecodingFault) in
            try parser.take(bytes, skippedLines: lines, into: block)
        }
    }
}
