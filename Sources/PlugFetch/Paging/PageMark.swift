import LosslessJSON

/// Identifies a page that comes again: by its records, byte for byte.
///
/// The previous page is kept for that if it is whole in memory; comparison stops at the first difference. For a page that came in
/// blocks only a hash is kept.
enum PageMark: Sendable, Equatable {
    case records([JSONView])
    case hash(Int)

    /// The mark of a page; `nil` for one without records, which says nothing.
    init?(_ records: [JSONView]) {
        if records.isEmpty { return nil }
        self = .records(records)
    }

    static func == (left: PageMark, right: PageMark) -> Bool {
        switch (left, right) {
        case (.hash(let left), .hash(let right)): left == right
        case (.records(let left), .records(let right)):
            left.count == right.count
                && zip(left, right).allSatisfy { left, right in
                    left.withBytes { first in right.withBytes { first.elementsEqual($0) } }
                }
        default: false
        }
    }
}

/// A hash over the records of a page that comes in blocks.
///
/// Seeded afresh in each process, so that no source can craft two pages with the same hash.
struct PageHash: Sendable {
    private var hasher = Hasher()
    private var isEmpty = true

    mutating func add(_ records: [JSONView]) {
        for record in records {
            isEmpty = false
            record.withBytes { bytes in
                hasher.combine(bytes.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
            }
        }
    }

    /// `nil` for a page without records.
    var mark: PageMark? { isEmpty ? nil : .hash(hasher.finalize()) }
}

extension JSONView {
    fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        document.withCursor { body($0.slice(node)) }
    }
}
