import CurlTransport
import Testing
import Throttling

/// What a source's own headers say of its quota.
struct QuotaRuleTests {
    /// 2026-11-18T10:26:40Z.
    private static let now: Int64 = 1_794_997_600_000_000

    private static func wait(_ rule: QuotaRule, _ headers: [(String, String)]) -> Duration? {
        RequestedWait.quota(HTTPHeaders(headers.map { HTTPHeader($0.0, $0.1) }), rule, now: now)
    }

    @Test(arguments: [
        ("0", 10), ("0.0", 10), ("-1", 10), (" 0 ", 10), ("5,0", 10), ("1", nil), ("12,930", nil), ("", nil),
        ("none", nil), ("nan", nil),
    ])
    func nothingIsLeftAndNoHeaderSaysUntilWhen(value: String, seconds: Int?) {
        let rule = QuotaRule(.remaining("x-left"), reset: nil, wait: .seconds(10), periods: [])
        #expect(Self.wait(rule, [("X-Left", value)]) == seconds.map { .seconds($0) })
        #expect(Self.wait(rule, []) == nil)
    }

    @Test(arguments: [
        ("40/40", 2), ("41/40", 2), ("32/40", nil), ("40/", nil), ("/40", nil), ("40", nil), ("0/0", nil),
        ("39.5/40", nil), ("1/2/2", nil), ("3/9, 9/9", 2),
    ])
    func usedAndLimitStandInOneHeader(value: String, seconds: Int?) {
        let rule = QuotaRule(.used("x-calls", limit: nil), reset: nil, wait: .seconds(2), periods: [])
        #expect(Self.wait(rule, [("X-Calls", value)]) == seconds.map { .seconds($0) })
    }

    @Test(arguments: [
        // The quarter of an hour ends at 10:30, the day at midnight.
        ("100,930", "100,1000", 200), ("12,1000", "100,1000", 48_800), ("100,1000", "100,1000", 48_800),
        ("99,999", "100,1000", nil), ("100", "", nil), ("100,930", "100", 200), ("1,2,3", "9,9,3", 48_800),
    ])
    func severalQuotasBeginAnewByTheClock(used: String, limit: String, seconds: Int?) {
        let rule = QuotaRule(
            .used("x-usage", limit: "x-limit"),
            reset: nil,
            wait: .seconds(60),
            periods: [.seconds(900), .seconds(86_400)]
        )
        #expect(Self.wait(rule, [("X-Usage", used), ("X-Limit", limit)]) == seconds.map { .seconds($0) })
    }

    @Test func aHeaderThatSaysUntilWhenCountsMore() {
        let rule = QuotaRule(.remaining("x-left"), reset: "x-next", wait: .seconds(10), periods: [])
        #expect(Self.wait(rule, [("X-Left", "0"), ("X-Next", "33")]) == .seconds(33))
        #expect(Self.wait(rule, [("X-Left", "0"), ("X-Next", "soon")]) == .seconds(10))
        #expect(Self.wait(rule, [("X-Left", "0")]) == .seconds(10))
        #expect(Self.wait(rule, [("X-Left", "3"), ("X-Next", "33")]) == nil)
    }

    @Test func moreQuotasThanAnybodyHasAreNotLookedAt() {
        let rule = QuotaRule(.remaining("x-left"), reset: nil, wait: .seconds(10), periods: [])
        let many = Array(repeating: "1", count: 8) + ["0"]
        #expect(Self.wait(rule, [("X-Left", many.joined(separator: ","))]) == nil)
        #expect(Self.wait(rule, [("X-Left", many.dropFirst().joined(separator: ","))]) == .seconds(10))
    }
}
