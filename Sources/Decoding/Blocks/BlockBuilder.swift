internal import LosslessJSON

/// Collects records until they fill a block.
///
/// Not Sendable: one task at a time uses it, as it belongs to one answer's decoder.
package final class BlockBuilder {
    /// A record that is not known to be JSON.
    private struct Unproved {
        /// Where it begins.
        var start: Int
        var line: Int
        var file: String?
    }

    let json: JSONBytes
    /// The records so far.
    private(set) var count = 0
    private var broken: [BrokenRecord] = []
    private var brokenBytes = 0
    private var unproved: [Unproved] = []
    private let limits: DecodingLimits
    /// A file that is a single record, in place of all others.
    private var whole: JSONDocument?
    /// The archive file being read.
    var file: String?
    /// What surrounds the list whose elements are the records, if that is kept.
    var rest = JSONRest()
    /// Texts that a decoder itself found to be invalid UTF-8, and repaired.
    var replaced = 0
    /// What decoders noted since the last block: of each kind once, with its count.
    private var notes: [DecodingNote] = []

    /// An empty builder.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        self.limits = limits
        json = JSONBytes(capacity: min(limits.blockBytes, 1 << 20) + (64 << 10))
    }

    /// Whether to hand it on before more is added. Decoders check it after each record, or every few kilobytes where records
    /// cannot become much larger than their input.
    package var isFull: Bool {
        whole != nil || json.count >= limits.blockBytes || count >= limits.blockRecords
            || broken.count >= limits.blockRecords
            || brokenBytes >= limits.blockBytes
    }

    /// Whether it is empty.
    package var isEmpty: Bool { count == 0 && broken.isEmpty && whole == nil }

    /// Begins a record, which is then written to `json`.
    @inline(__always)
    func begin() {
        json.append(count == 0 ? "[" : ",")
        count += 1
    }

    /// Counts a record that was written along with its preceding mark.
    @inline(__always)
    func countWritten() { count += 1 }

    /// Adds what may be a record; whether it is JSON is checked when the block is sealed.
    func appendUnproved(_ text: UnsafeRawBufferPointer, line: Int) {
        begin()
        unproved.append(Unproved(start: json.count, line: line, file: file))
        json.append(text)
    }

    /// Takes the JSON of a file as it is, to be a block of its own.
    ///
    /// - Throws: `DecodingFault` if it is not JSON.
    func setWhole(_ text: [UInt8], line: Int) throws(DecodingFault) {
        do throws(JSONError) {
            whole = try JSONDocument(bytes: text, limits: JSONLimits(bytes: .max))
        } catch {
            throw DecodingFault(error, "it is not JSON", line: line)
        }
    }

    /// Adds a broken record of the file being read.
    func append(_ record: BrokenRecord) { append(record, of: file) }

    private func append(_ record: BrokenRecord, of file: String?) {
        var record = record
        record.file = file
        broken.append(record)
        brokenBytes += record.text.count + 100
    }

    /// Notes something in the file being read that is not as it should be.
    func note(_ kind: DecodingNote.Kind, count: Int = 1, line: Int? = nil) {
        if let at = notes.firstIndex(where: { $0.kind == kind }) {
            notes[at].count += count
        } else {
            notes.append(DecodingNote(kind: kind, count: count, line: line, file: file))
        }
    }

    /// Whether anything was noted.
    var hasNotes: Bool { !notes.isEmpty }

    /// Returns the notes and forgets them.
    func takeNotes() -> [DecodingNote] {
        defer { notes = [] }
        return notes
    }

    /// Returns the block and empties the builder.
    ///
    /// - Throws: `DecodingFault` if a record is nested deeper than documents may be.
    package func seal() throws(DecodingFault) -> DecodedBlock {
        defer {
            json.removeAll()
            (count, brokenBytes) = (0, 0)
            broken.removeAll()
            unproved.removeAll(keepingCapacity: true)
        }
        if let document = whole {
            whole = nil
            return DecodedBlock(document: document, count: 1, broken: broken, isWhole: true)
        }
        guard count > 0 else { return DecodedBlock(document: nil, count: 0, broken: broken) }
        json.append("]")
        do {
            let document = try Self.document(json.bytes)
            if isProved(document) { return DecodedBlock(document: document, count: count, broken: broken) }
        } catch {
            // Where records are not known to be JSON, reading each on its own shows which one is at fault.
            if unproved.isEmpty || error.kind == .noMemory { throw Self.fault(error) }
        }
        return try oneByOne()
    }

    private static func document(_ json: UnsafeRawBufferPointer) throws(JSONError) -> JSONDocument {
        let buffer = JSONBuffer(capacity: json.count)
        buffer.append(json)
        // One level more, for the array around records that are nested as deep as documents may be.
        return try JSONDocument(buffer, limits: JSONLimits(depth: JSONLimits().depth + 1, bytes: .max, tokens: .max))
    }

    private static func fault(_ error: JSONError) -> DecodingFault {
        DecodingFault(error, "a record cannot be read")
    }

    /// Whether each element is exactly one record: `1,2` on one line is not a record, nor are two halves on two lines.
    private func isProved(_ document: JSONDocument) -> Bool {
        unproved.isEmpty || Self.has(document, elementsAt: unproved.map(\.start))
    }

    private static func has(_ document: JSONDocument, elementsAt starts: [Int]) -> Bool {
        document.withCursor { cursor in
            var at = cursor.first(in: 0)
            for start in starts {
                guard let element = at, document.offset(of: element) == start else { return false }
                at = cursor.next(after: element)
            }
            return at == nil
        }
    }

    /// Reads each record on its own, and keeps those that are JSON.
    private func oneByOne() throws(DecodingFault) -> DecodedBlock {
        let good = JSONBytes(capacity: json.count)
        let alone = JSONBytes(capacity: 1024)
        var kept = 0
        for (at, record) in unproved.enumerated() {
            // Before the comma, or the bracket that ends the array.
            let end = at + 1 < unproved.count ? unproved[at + 1].start - 1 : json.count - 1
            let text = UnsafeRawBufferPointer(rebasing: json.bytes[record.start..<end])
            // As the only element of an array, so that what is valid here is also valid among the others.
            alone.removeAll()
            alone.append("[")
            alone.append(text)
            alone.append("]")
            var reason: String?
            do {
                let document = try Self.document(alone.bytes)
                if !Self.has(document, elementsAt: [1]) { reason = "it has more than one value, or none" }
            } catch {
                if error.kind == .noMemory { throw Self.fault(error) }
                reason = "\(error.reason) at byte \(max(0, error.offset - 1))"
            }
            if let reason {
                append(BrokenRecord(line: record.line, reason: "it is not JSON: \(reason)", text), of: record.file)
            } else {
                good.append(kept == 0 ? "[" : ",")
                good.append(text)
                kept += 1
            }
        }
        guard kept > 0 else { return DecodedBlock(document: nil, count: 0, broken: broken) }
        good.append("]")
        do {
            return DecodedBlock(document: try Self.document(good.bytes), count: kept, broken: broken)
        } catch { throw Self.fault(error) }
    }
}
