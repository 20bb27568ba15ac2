import JQ
import PlugCore
import PlugManifest

/// Mistakes in a manifest that only data can reveal: programs that never find what they name. Collected over the pages of a pass.
struct PassFindings: Sendable {
    /// How many records of the last page had no readable `since.field`.
    private(set) var without = 0
    private var records = 0
    /// Whether some record had a readable `since.field`.
    private(set) var hasField = false
    /// The greatest value of the last page's records.
    private(set) var latest: SinceValue?
    /// Whether the pass is a single page that is full, and lacks the member where the next page's token belongs.
    private var lacksToken = false
    /// Whether the last page has records and says that there is another page, but gives no token or address for it.
    private var lacksNext = false
    /// Whether the pass is a single page so far.
    private(set) var isSingle = false
    /// Whether this run has read the first page.
    private(set) var hasFirst = false
    /// The record count of the largest page before the last one; `nil` if this run has read none.
    private(set) var fullest: Int?
    private var largest: Int?
    private(set) var hasRecords = false
    /// How many records the last page's request asked for.
    private(set) var size: Int?
    /// Whether some page's headers linked to another page.
    private(set) var hasLinks = false
    /// Whether some page gave a number for `page.total`, and for `page.pages`.
    private(set) var hasTotal = false
    private(set) var hasPages = false

    /// Notes that the page size changes from here on.
    mutating func noteSize() { (fullest, largest) = (nil, nil) }

    /// Adds a page.
    ///
    /// - Parameters:
    ///   - isFirst: Whether it is the first page of its pass.
    ///   - size: How many records were requested.
    mutating func note(_ facts: PageFacts, _ summary: SinceSummary?, isFirst: Bool, size: Int?) {
        self.size = size
        lacksToken = isFirst && facts.lacksToken && (size.map { facts.count >= $0 } ?? false)
        isSingle = isFirst
        hasFirst = hasFirst || isFirst
        fullest = largest
        largest = max(largest ?? 0, facts.count)
        hasRecords = hasRecords || facts.count > 0
        hasLinks = hasLinks || facts.following != nil
        hasTotal = hasTotal || facts.total != nil
        hasPages = hasPages || facts.pages != nil
        lacksNext = facts.more == true && facts.following == nil && facts.count > 0
        without = summary?.without ?? 0
        latest = summary?.maximum
        records += summary?.count ?? 0
        hasField = hasField || (summary.map { $0.without < $0.count } ?? false)
    }

    /// The fault in a pass that seems complete; `nil` if there is none.
    ///
    /// - Parameter hasWatermark: Whether an earlier pass found the field.
    func fault(_ stream: PlugManifest.Stream, _ name: String, hasWatermark: Bool) -> PlugError? {
        if lacksToken { return Self.tokenMissing(stream, name) }
        if lacksNext, stream.paging?.isCounted == false { return Self.nextMissing(stream, name) }
        if let since = stream.since, records > 0, !hasField, !hasWatermark {
            return PlugError(
                .sinceFieldMissing,
                "\(stream.places["since.field"]): no record of this pass has a readable 'since.field' "
                    + "(\(since.fieldSource)): "
                    + "every run reads everything again",
                advice: "check 'since.field' and 'since.type' against a record of the source",
                stream: stream.name
            )
        }
        return nil
    }

    private static func nextMissing(_ stream: PlugManifest.Stream, _ name: String) -> PlugError {
        PlugError(
            .moreWithoutPage,
            "\(name): 'page.more' says that there is another page, but the answer has no token or address for it: "
                + "records may be missing",
            advice: "check 'page': the program for the next page's token or address finds nothing in this answer",
            stream: stream.name,
            reach: .item
        )
    }

    private static func tokenMissing(_ stream: PlugManifest.Stream, _ name: String) -> PlugError {
        let (key, program) = Self.token(stream)
        return PlugError(
            .pageTokenMissing,
            "\(stream.places[key]): \(name) gives a full page, but its answer has no member for '\(key)' "
                + "(\(program)): there may be more pages",
            advice: "check the program; if the last page leaves the member out, write '\(program) // null'",
            stream: stream.name
        )
    }

    /// The key whose program gives the next page's token or address, and the program.
    static func token(_ stream: PlugManifest.Stream) -> (key: String, program: String) {
        stream.paging?.kind.lead.programAndKey.map { ($0.key, $0.program.source) } ?? ("page", "")
    }
}
