internal import LosslessJSON

/// Decides which page to request next, and which of its elements are new. Makes no requests itself.
///
/// A PDA's order has no tie-breaker, and pages are addressed by offset while others add and delete. So:
///
/// * Records with the same value in the field come in any order, a different one each time. A page's last group of equal
///   values may continue past it: it is left for the next page, which begins before it. A group that fills a page makes the
///   page larger.
/// * Pages overlap. If nothing in a page was seen before with the same value, records before it were deleted and some may
///   have slipped into the part believed to be read: the next page begins earlier.
///
/// Each answer is one consistent list. A page that holds a record seen before, and unchanged, therefore holds or is
/// followed by everything not seen yet, except for concurrent changes.
struct RecordPager {
    private struct Key: Hashable { var value: JSONValue? }

    private let field: [String]
    private let pageSize: Int
    private(set) var skip = 0
    private(set) var take: Int
    private(set) var isDone = false
    private var seen: [String: Key] = [:]
    private var backward: Int
    private var stepsBack = 0

    static let largestPage = 1 << 14
    private static let mostStepsBack = 64

    init(field: String, pageSize: Int) {
        self.field = field.split(separator: ".").map(String.init)
        self.pageSize = pageSize
        take = pageSize
        backward = pageSize
    }

    /// Takes the answer to `skip` and `take`.
    ///
    /// - Returns: The elements not seen before, in order.
    mutating func read(_ elements: [JSONValue]) throws(PDAError) -> [JSONValue] {
        let marks = elements.map(mark)
        guard skip == 0 || marks.contains(where: { seen[$0.id] == $0.key }) else {
            try stepBack()
            return []
        }
        backward = pageSize
        let isEnd = elements.count < take
        var cut = elements.count
        if !isEnd, let last = marks.last { while cut > 0, marks[cut - 1].key == last.key { cut -= 1 } }
        var new: [JSONValue] = []
        for at in 0..<cut where seen.updateValue(marks[at].key, forKey: marks[at].id) == nil {
            new.append(elements[at])
        }
        if !new.isEmpty { stepsBack = 0 }
        let next = skip + cut - min(max(1, pageSize / 16), cut)
        if isEnd {
            isDone = true
        } else if next > skip {
            skip = next
            take = pageSize
        } else {
            try grow()
        }
        return new
    }

    private mutating func stepBack() throws(PDAError) {
        stepsBack += 1
        guard stepsBack <= Self.mostStepsBack else {
            throw PDAError(
                .unstablePages,
                "records are deleted faster than they can be read in pages",
                advice: "read later, or in one answer with a large take"
            )
        }
        skip = max(0, skip - backward)
        backward = min(backward * 2, Self.largestPage)
    }

    private mutating func grow() throws(PDAError) {
        guard take < Self.largestPage else {
            throw PDAError(
                .unstablePages,
                "more than \(take) records have the same '\(field.joined(separator: "."))'",
                advice: "order by a field that differs from record to record"
            )
        }
        take = min(take * 2, Self.largestPage)
    }

    /// What identifies an element, and what it is ordered by.
    private func mark(_ element: JSONValue) -> (id: String, key: Key) {
        var value = element["data"]
        for name in field {
            if let elements = value?.elements {
                let place = Int(name).map { $0 < 0 ? elements.count + $0 : $0 }
                value = place.flatMap { elements.indices.contains($0) ? elements[$0] : nil }
            } else {
                value = value?[name]
            }
        }
        return (element["recordId"]?.stringText ?? element.compactText, Key(value: value))
    }
}
