import PlugCore
import Testing

@testable import PlugFetch

/// Times that a person reads lie ahead.
struct LimitedTextTests {
    @Test(arguments: [
        (until: Int64(10_500_000), now: Int64(10_200_000), time: "1970-01-01T00:00:11Z"),
        (until: 10_000_000, now: 12_000_001, time: "1970-01-01T00:00:13Z"),
        (until: 20_000_000, now: 12_000_000, time: "1970-01-01T00:00:20Z"),
    ])
    func aLimitNamesNoTimeThatIsOver(until: Int64, now: Int64, time: String) {
        let error = SourceFault.limited("GET /", until: until, now: now, isAsked: true)
        #expect(error.message == "GET /: the source accepts no more requests before \(time)")
    }
}
