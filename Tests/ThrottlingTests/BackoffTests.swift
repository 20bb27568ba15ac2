import Testing
import Throttling

struct BackoffTests {
    @Test func waitsGrowAndStayBounded() {
        let backoff = Backoff(maximum: .seconds(60))
        #expect(backoff.wait(after: 1, random: 0.5) == .milliseconds(500))
        #expect(backoff.wait(after: 4, random: 0.5) == .seconds(4))
        #expect(backoff.wait(after: 99, random: 0.999) < .seconds(60))
    }

    @Test func readsRetryAfterInBothForms() {
        #expect(RequestedWait.retryAfter("120", now: 0) == .seconds(120))
        #expect(RequestedWait.retryAfter("Thu, 01 Jan 1970 00:01:00 GMT", now: 30_000_000) == .seconds(30))
        #expect(RequestedWait.retryAfter("soon", now: 0) == nil)
    }
}
