import CurlTransport
import PlugCore
import Testing

@testable import Throttling

/// When requests go out that are all ready at the same time, in milliseconds.
private func times(_ count: Int, _ limits: RateLimit...) -> [Int64] {
    var book = RateBook(limits)
    var now: Int64 = 0
    return (0..<count).map { _ in
        now = book.earliest(from: now)
        book.take(at: now)
        return now / 1000
    }
}

struct RateTests {
    @Test func letsAWholeCountOutAtOnceAndTheNextOneWhenItsTimeIsOver() {
        // A fortieth more than ten seconds, because requests are not all equally long on their way.
        #expect(times(5, RateLimit(count: 2, per: .seconds(10))) == [0, 0, 10_250, 10_250, 20_500])
    }

    @Test func spreadsRequestsWhereTheBurstIsSmaller() {
        let limit = RateLimit(count: 4, per: .seconds(8), burst: 1)
        #expect(times(5, limit) == [0, 2050, 4100, 6150, 8200])
    }

    @Test func keepsToTheSlowestOfSeveralRates() {
        let (fast, slow) = (RateLimit(count: 2, per: .seconds(2)), RateLimit(count: 1, per: .seconds(60)))
        #expect(times(3, fast, slow) == [0, 60_250, 120_500])
    }

    @Test(
        "a line moves as fast as bursts let it",
        arguments: [
            // What went out already, how many stand before, and how long that takes at least, in milliseconds.
            (0, 0, 0), (0, 8, 0), (3, 5, 0), (0, 9, 30_250), (3, 6, 30_250), (9, 0, 30_250), (9, 8, 30_250),
            (9, 9, 33_611), (0, 18, 33_611),
        ]
    )
    func lineOfABurst(sent: Int, before: Int, milliseconds: Int64) {
        var book = RateBook([RateLimit(count: 9, per: .seconds(30))])
        for _ in 0..<sent { book.take(at: 0) }
        #expect(book.ownEarliest(from: 0, behind: before) / 1000 == milliseconds)
    }

    @Test func closesUntilTheLatestTimeItWasTold() {
        var book = RateBook([])
        book.close(since: 7, until: 90)
        book.close(since: 7, until: 30)
        #expect(book.earliest(from: 7) == 90)
        #expect(book.earliest(from: 91) == 91)
    }

    @Test func isNoLongerStoppedThanAPeriodByAClockThatWasSetBack() {
        var meter = RateMeter(RateLimit(count: 2, per: .seconds(10)))
        meter.take(2, at: 31_536_000_000_000)
        #expect(meter.earliest(from: 0) <= 10_250_000)
    }

    @Test func aChangedLimitIsNoNewBurst() {
        var book = RateBook([RateLimit(count: 100, per: .seconds(60))])
        for _ in 0..<50 { book.take(at: 0) }
        book.adopt([RateLimit(count: 50, per: .seconds(60))])
        #expect(book.earliest(from: 1_000_000) == 60_250_000)
    }

    @Test(arguments: [
        (RateLimit(count: 2, per: .seconds(10)), 1), (RateLimit(count: 5, per: .seconds(86_400)), 1),
        (RateLimit(count: 5, per: .seconds(2)), 2), (RateLimit(count: 100, per: .seconds(900)), 8),
        (RateLimit(count: 100, per: .seconds(900), burst: 1), 1), (RateLimit(count: 1000, per: .seconds(1)), 975),
        (RateLimit(count: 180, per: .seconds(60)), 29),
    ])
    func leasesAFewRequestsAtATime(limit: RateLimit, chunk: Int) {
        #expect(RateBook([limit]).chunk == chunk)
    }

    private static let fields: [(String, String, Double?)] = [
        ("ratelimit", #""hour";r=5;t=50"#, nil), ("ratelimit", #""hour";r=0;t=50"#, 50),
        ("ratelimit", #""a";r=0;t=7, "b";r=0;t=9"#, 9), ("ratelimit", #""a" ; r=0 ; t=-3"#, nil),
        ("ratelimit", "limit=100, remaining=0, reset=50", 50), ("ratelimit", "limit=100, remaining=1, reset=50", nil),
        ("ratelimit", #""a";r=0;t=99999999"#, 86_400), ("ratelimit", "\u{0};;;=r=0;t", nil),
        ("ratelimit", #""a";r=-1;t=30.5"#, 30.5), ("ratelimit", #""a";r=0;t=soon"#, nil),
    ]

    @Test(arguments: fields)
    func readsWhatIsLeft(name: String, value: String, seconds: Double?) {
        let wait = RequestedWait.quota(HTTPHeaders([HTTPHeader(name, value)]), now: 0)
        #expect(wait == seconds.map { .seconds($0) })
    }

    private static let olderFields: [(String, String, Int?)] = [
        ("0", "60", 60), ("1", "60", nil), ("0", "1795000042", 42), ("0", "1795000042000", 42), ("0", "-1", nil),
        ("-1", "60", 60), ("0.0", "60", 60), ("0;w=60", "60", 60), ("0, 0;w=60", "60", 60), ("none", "60", nil),
        ("", "60", nil),
        ("0", "1794999999", 0), ("0", "999999999", 86_400), ("0", "99999999999999999999", nil), ("0", "soon", nil),
    ]

    @Test(arguments: olderFields)
    func readsTheOlderHeaders(remaining: String, reset: String, seconds: Int?) {
        for prefix in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
            let fields = [HTTPHeader("\(prefix)-Remaining", remaining), HTTPHeader("\(prefix)-Reset", reset)]
            let wait = RequestedWait.quota(HTTPHeaders(fields), now: 1_795_000_000_000_000)
            #expect(wait == seconds.map { .seconds($0) })
        }
    }
}
