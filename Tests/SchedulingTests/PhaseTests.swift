import TestKit
import Testing

@testable import Scheduling

struct PhaseTests {
    /// The hash must never change: see `Phase`.
    @Test(arguments: [
        ("", 0xF52A_15E9_A9B5_E89B), ("a", 0x02C0_BDBF_4814_20F8), ("spotify/alice.example", 0x6A21_A9D4_0A6B_CB6F),
    ])
    func aNameHasItsFractionForGood(name: String, fraction: UInt64) {
        #expect(Phase(of: name).fraction == fraction)
    }

    /// Names that differ in little are the usual ones: 100,000 of them, in the minutes and the seconds of an hour.
    @Test(arguments: ["", "connection-", "spotify/person", "plug:0000000000000000000000000000/"])
    func namesSpreadEvenlyOverAnHour(prefix: String) {
        var seconds = [Int](repeating: 0, count: 3600)
        for number in 0..<100_000 { seconds[Int(Phase(of: "\(prefix)\(number)").part(of: hour) / 1_000_000)] += 1 }
        let minutes = (0..<60).map { seconds[$0 * 60..<$0 * 60 + 60].reduce(0, +) }
        // With chance alone, one of a million tries is above 117 of 59 degrees of freedom, and above 4012 of 3599.
        #expect(chiSquare(minutes) < 117)
        #expect(chiSquare(seconds) < 4012)
    }

    @Test func aPartIsBelowTheWhole() {
        var numbers = SplitMix(state: 3)
        for _ in 0..<10_000 {
            let time = Int64.random(in: 1 ... .max, using: &numbers)
            #expect(0..<time ~= Phase(of: "\(numbers.next())").part(of: time))
        }
        #expect(Phase(of: "a").part(of: 0) == 0)
        #expect(Phase(of: "a").part(of: -5) == 0)
    }

    private func chiSquare(_ counts: [Int]) -> Double {
        let expected = Double(counts.reduce(0, +)) / Double(counts.count)
        return counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    }
}
