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
        #expect(RequestedWait.retryAfter("5.5", now: 0) == .milliseconds(5500))
        let now: Int64 = 784_111_777_000_000
        for date in [
            "Sun, 06 Nov 1994 08:49:47 GMT", "Sunday, 06-Nov-94 08:49:47 GMT", "Sun Nov  6 08:49:47 1994",
        ] {
            #expect(RequestedWait.retryAfter(date, now: now) == .seconds(10), "\(date)")
        }
        #expect(RequestedWait.retryAfter("Sunday, 06-Nov-94", now: 0) == nil)
        for other in ["1e400", "0x10", "1e3", "inf", "1.2.3", "-5", ""] {
            #expect(RequestedWait.retryAfter(other, now: 0) == nil, "\(other)")
        }
    }
}
