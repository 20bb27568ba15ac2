import Testing

@testable import PlugHostCLI

/// A warning that every run repeats does not fill the log.
struct SaidWarningsTests {
    @Test func aWarningIsSaidOnceAgainWhenItChangesAndOnceADay() {
        let said = SaidWarnings()
        let key = SaidWarnings.Key(place: "ada", code: "secret-short")
        let other = SaidWarnings.Key(place: "bob", code: "secret-short")
        let hour: Int64 = 3_600_000_000
        let times: [Int?] = [
            said.count("one", key, at: 0), said.count("one", key, at: hour), said.count("one", other, at: hour),
            said.count("two", key, at: 2 * hour), said.count("two", key, at: 3 * hour),
            said.count("two", key, at: 27 * hour),
        ]
        #expect(times == [1, nil, 1, 1, nil, 2])
    }
}
