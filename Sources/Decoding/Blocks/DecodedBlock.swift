package import LosslessJSON

/// Some records of an answer, in order: a document whose value is the array of them.
package struct DecodedBlock: Sendable {
    /// The array, `nil` without any record.
    package var document: JSONDocument?
    /// How many records it has.
    package var count: Int
    /// Records among them that are broken.
    package var broken: [BrokenRecord]
    /// How many byte sequences were no text in the answer's encoding, and became U+FFFD.
    package var replaced = 0

    /// The records.
    package var records: [JSONView] { document?.root.elements ?? [] }
}

/// Collects records until they are a block.
///
/// Not Sendable, and used by one task at a time: it belongs to one answer's decoder.
package final class BlockBuilder {
    let json: JSONBytes
    /// The records so far.
    private(set) var count = 0
    private var broken: [BrokenRecord] = []
    private var brokenBytes = 0
    /// Where records begin that are not known to be JSON, and in which line.
    private var unproved: [(start: Int, line: Int)] = []
    private let limits: DecodingLimits
    /// The file in an archive that is read.
    var file: String?

    /// An empty one.
    package init(_ limits: DecodingLimits = DecodingLimits()) {
        self.limits = limits
        json = JSONBytes(capacity: min(limits.blockBytes, 1 << 20) + (64 << 10))
    }

    /// Whether it is worth handing on.
    package var isFull: Bool {
        json.count >= limits.blockBytes || count >= limits.blockRecords || broken.count >= limits.blockRecords
            || brokenBytes >= limits.blockBytes
    }

    /// Whether there is nothing in it.
    package var isEmpty: Bool { count == 0 && broken.isEmpty }

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
        unproved.append((json.count, line))
        json.append(text)
    }

    /// Adds a broken record.
    func append(_ record: BrokenRecord) {
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
        guard count > 0 else { return DecodedBlock(document: nil, count: 0, broken: broken) }
        json.append("]")
        do {
            let document = try Self.document(json)
            if isProved(document) { return DecodedBlock(document: document, count: count, broken: broken) }
        } catch {
            // A record alone tells which one it is, where records are not known to be JSON.
            if unproved.isEmpty { throw Self.fault(error) }
        }
        return try oneByOne()
    }

    private static func document(_ json: JSONBytes) throws(JSONError) -> JSONDocument {
        let buffer = JSONBuffer(capacity: json.count)
        buffer.append(json.bytes)
        // One level more, for the array around records that are as deep as documents may be.
        return try JSONDocument(buffer, limits: JSONLimits(depth: JSONLimits().depth + 1, bytes: .max, tokens: .max))
    }

    private static func fault(_ error: JSONError) -> DecodingFault {
        DecodingFault(error.kind == .tooDeep ? .overLimit : .malformed, "a record cannot be read: \(error.reason)")
    }

    /// Whether each element is one record, begin and end: `1,2` on one line is no record, and two halves on two lines are none.
    private func isProved(_ document: JSONDocument) -> Bool {
        if unproved.isEmpty { return true }
        return document.withCursor { cursor in
            var at = cursor.first(in: 0)
            for (start, _) in unproved {
                guard let element = at, document.offset(of: element) == start else { return false }
                at = cursor.next(after: element)
            }
            return at == nil
        }
    }

    /// Reads each record by itself, and keeps those that are JSON.
    private func oneByOne() throws(DecodingFault) -> DecodedBlock {
        let good = JSONBytes(capacity: json.count)
        var kept = 0
        for (at, (start, line)) in unproved.enumerated() {
            // Before the comma, or the bracket that ends the array.
            let end = at + 1 < unproved.count ? unproved[at + 1].start - 1 : json.count - 1
            let text = UnsafeRawBufferPointer(rebasing: json.bytes[start..<end])
            do {
                let buffer = JSONBuffer(capacity: text.count)
                buffer.append(text)
                _ = try JSONDocument(buffer, limits: JSONLimits(bytes: .max, tokens: .max))
                good.append(kept == 0 ? "[" : ",")
                good.append(text)
                kept += 1
            } catch {
                append(
                    BrokenRecord(line: line, reason: "it is not JSON: \(error.reason) at byte \(error.offset)", text)
                )
            }
        }
        guard kept > 0 else { return DecodedBlock(document: nil, count: 0, broken: broken) }
        good.append("]")
        do {
            return DecodedBlock(document: try Self.document(good), count: kept, broken: broken)
        } catch { throw Self.fault(error) }
    }
}
