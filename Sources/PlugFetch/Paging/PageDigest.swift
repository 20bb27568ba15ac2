import LosslessJSON

/// A hash over the bytes of a page's records, taken block by block: by it a page is told that comes again.
///
/// Seeded anew in each process, so that no source can make two pages look alike.
struct PageDigest: Sendable {
    private var hasher = Hasher()
    private var isEmpty = true

    mutating func add(_ records: [JSONView]) {
        for record in records {
            isEmpty = false
            record.document.withCursor { cursor in
                let bytes = UnsafeRawBufferPointer(cursor.slice(record.node))
                hasher.combine(bytes.count)
                hasher.combine(bytes: bytes)
            }
        }
    }

    /// `nil` for a page without records.
    var value: Int? { isEmpty ? nil : hasher.finalize() }
}
