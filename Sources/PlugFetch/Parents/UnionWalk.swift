import LosslessJSON
import PlugCore

/// Walks through several streams and lists one after the other, and delivers each record once.
struct UnionWalk: Walk {
    /// How many are remembered; beyond that, some may be delivered twice.
    private static let memory = 1_000_000

    private let sources: [ParentSource]
    private let reading: ParentSource.Reading
    private var index: Int
    private var walk: any Walk
    /// The records delivered in this run, each as the two halves of its name.
    private var given: Set<SIMD2<UInt64>> = []

    /// - Parameter pass: Where it starts: `{"of": 1, "pass": {…}}`.
    init(_ sources: [ParentSource], from pass: JSONValue?, _ reading: ParentSource.Reading) throws(PlugError) {
        var reading = reading
        reading.namesByText = true
        self.sources = sources
        self.reading = reading
        let saved = Int(pass?["of"]?.number?.int64 ?? 0)
        index = sources.indices.contains(saved) ? saved : 0
        walk = try sources[index].walk(from: PartState(pass: index == saved ? pass?["pass"] : nil), reading)
    }

    var watermark: JSONValue? { nil }

    mutating func next(until deadline: Int64?) async throws -> WalkStep {
        guard var page = try await walk.next() else { return .end }
        let (records, names) = (page.records, page.names)
        (page.records, page.names) = ([], [])
        for (record, name) in zip(records, names) where isNew(name) {
            page.records.append(record)
            page.names.append(name)
        }
        // Only some of the sources have parents of their own.
        (page.lineage, page.path) = (Lineage(), "")
        page.mark = place(page.mark)
        page.again = nil
        if let following = page.following {
            page.following = following.isNull ? .null : place(following)
        } else if index + 1 < sources.count {
            index += 1
            walk = try sources[index].walk(from: PartState(), reading)
            page.following = .members(("of", .integer(index)))
        }
        return .page(page)
    }

    private func place(_ pass: JSONValue) -> JSONValue { .members(("of", .integer(index)), ("pass", pass)) }

    private mutating func isNew(_ name: String) -> Bool {
        guard let first = UInt64(name.prefix(16), radix: 16), let second = UInt64(name.suffix(16), radix: 16) else {
            return true
        }
        let mark = SIMD2(first, second)
        if given.count >= Self.memory { return !given.contains(mark) }
        return given.insert(mark).inserted
    }
}
