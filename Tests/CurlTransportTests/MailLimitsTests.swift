import Testing

@testable import CurlTransport

/// Which of its limits a mail has reached, as whoever reads the error needs to know.
struct MailLimitsTests {
    @Test(
        arguments: [
            (.seconds(15), "was not ready for a mail within 15s"),
            (.seconds(20), "did not answer a command for 20s"),
            (.seconds(59), "did not answer a command for 20s"),
            (.seconds(60), "did not accept the mail within 1m"),
        ] as [(Duration, String)]
    )
    func theLimitThatWasReachedIsNamed(after time: Duration, text: String) {
        #expect(MailLimits(whole: .seconds(60)).passed(after: time) == text)
    }

    @Test func aShorterTimeForAllOfItCountsForTheGreetingToo() {
        let limits = MailLimits(whole: .seconds(5))
        #expect(limits.greeting == .seconds(5))
        #expect(limits.passed(after: .seconds(5)) == "did not accept the mail within 5s")
    }
}
