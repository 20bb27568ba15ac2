import Testing

@testable import PlugCore

struct DurationTests {
    @Test(
        "whole microseconds are exact, which division is not",
        arguments: [
            (.seconds(26 * 3600), 93_600_000_000), (.seconds(-26 * 3600), -93_600_000_000), (.zero, 0),
            (.milliseconds(1), 1_000), (.nanoseconds(1_999), 1), (.seconds(Int64.max), .max),
            (.seconds(Int64.min), .min),
        ] as [(Duration, Int64)]
    )
    func microseconds(duration: Duration, count: Int64) {
        #expect(duration.wholeMicroseconds == count)
    }
}
