internal import LosslessJSON

/// Collects records until they are a block.
///
/// Not Sendable, and used by one task at a time: it belongs to one answer's decoder.
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
    /// A file that is one record, in place of all others.
    private var whole: JSONDocument?
    /// The file in an archive that is read.
    var file: String?
    /// What stands beside the list whose elements the records are, where that is kept.
    var rest = JSONRest()
    /// Texts that a decoder itself found to be no UTF-8, and repaired.
    var replaced = 0

    /// An empty one.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        self.limits = limits
        json = JSONBytes(capacity: min(limits.blockBytes, 1 << 20) + (64 << 10))
    }

    /// Whether it is to be handed on before more is added. Decoders look at it behind each record, or behind a few kilobytes
    /// where records cannot become much larger than they came.
    package var isFull: Bool {
        whole != nil || json.count >= limits.blockBytes || count >= limits.blockRecords
            || broken.count >= limits.blockRecords
            || brokenBytes >= limits.blockBytes
    }

    /// Whether there is nothing in it.
    package var isEmpty: Bool { count == 0 && broken.isEmpty && whole == nil }

    /// Begins a record, which is then written to `json`.
    @inline(__always)
    func begin() {
        json.append(count == 0 ? "[" : ",")
        count += 1
    }

    /// Counts a record that was written together with the mark before it.
    @inline(__always)
    func countWritten() { count += 1 }

    /// Adds what may be a record: whether it is JSON is looked at when the block is sealed.
    func appendUnproved(_ text: UnsafeRawBufferPointer, line: Int) {
        begin()
        unproved.append(Unproved(start: json.count, line: line, file: file))
        json.append(text)
    }

    /// Takes the JSON of a file as it is, to be a block by itself.
    ///
    /// - Throws: `DecodingFault` if it is not JSON.
    func setWhole(_ text: [UInt8], line: Int) throws(DecodingFault) {
        do throws(JSONError) {
            whole = try JSONDocument(bytes: text, limits: JSONLimits(bytes: .max))
        } catch {
            let kind: DecodingFault.Kind = error.kind == .tooDeep ? .overLimit : .malformed
            throw DecodingFault(kind, "it is not JSON: \(error.reason)", line: line)
        }
    }

    /// Adds a broken record of the file that is read.
    func append(_ record: BrokenRecord) { append(record, of: file) }

    private func append(_ record: BrokenRecord, of file: String?) {
        var record = record
        record.file = file
        broken.append(record)
        brokenBytes += record.text.count + 100
    }

    /// The block, after which the builder is empty.
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
            // A record alone tells which one it is, where records are not known to be JSON.
            if unproved.isEmpty { throw Self.fault(error) }
        }
        return try oneByOne()
    }

    private static func document(_ json: UnsafeRawBufferPointer) throws(JSONError) -> JSONDocument {
        let buffer = JSONBuffer(capacity: json.count)
        buffer.append(json)
        // One level more, for the array around records that are as deep as documents may be.
        return try JSONDocument(buffer, limits: JSONLimits(depth: JSONLimits().depth + 1, bytes: .max, tokens: .max))
    }

    private static func fault(_ error: JSONError) -> DecodingFault {
        DecodingFault(error.kind == .tooDeep ? .overLimit : .malformed, "a record cannot be read: \(error.reason)")
    }

    /// Whether each element is one record, begin and end: `1,2` on one line is no record, and two halves on two lines are none.
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

    /// Reads each record by itself, and keeps those that are JSON.
    private func oneByOne() throws(DecodingFault) -> DecodedBlock {
        let good = JSONBytes(capacity: json.count)
        let alone = JSONBytes(capacity: 1024)
        var kept = 0
        for (at, record) in unproved.enumerated() {
            // Before the comma, or the bracket that ends the array.
            let end = at + 1 < unproved.count ? unproved[at + 1].start - 1 : json.count - 1
            let text = UnsafeRawBufferPointer(rebasing: json.bytes[record.start..<end])
            // As the only element of an array, so that what is good here is good among the others, too.
            alone.removeAll()
            alone.append("[")
            alone.append(text)
            alone.append("]")
            var reason: String?
            do {
                let document = try Self.document(alone.bytes)
                if !Self.has(document, elementsAt: [1]) { reason = "it has more than one value, or none" }
            } catch {
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
