/// Writes fields one after another, each prefixed with its length: no two lists of fields give the same bytes.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    /// Creates an empty writer with capacity for this many bytes.
    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    mutating func append(_ number: Int64) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ field: some Collection<UInt8>) {
        append(Int64(field.count))
        bytes.append(contentsOf: field)
    }

    mutating func append(_ text: String) { append(text.utf8) }
}

/// Reads what `ByteWriter` wrote; each read returns `nil` if the bytes end too early.
struct ByteReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func number() -> Int64? {
        guard rest.count >= 8 else { return nil }
        let value = rest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        rest = rest.dropFirst(8)
        return Int64(bitPattern: value)
    }

    mutating func field() -> [UInt8]? {
        guard let count = number(), count >= 0, count <= rest.count else { return nil }
        defer { rest = rest.dropFirst(Int(count)) }
        return Array(rest.prefix(Int(count)))
    }

    mutating func text() -> String? { field().map { String(decoding: $0, as: UTF8.self) } }
}
