import TestKit
import Testing

@testable import Scheduling

/// The pattern by which an API describes cron expressions.
struct CronPatternTests {
    private func matches(_ text: String) throws -> Bool {
        try Regex(CronExpression.pattern).wholeMatch(in: text) != nil
    }

    @Test(arguments: [
        "@daily", "* * * * *", "0 6 * * *", "05 06 07 08 *", "*/5 0-6 1,15 JAN-MAR mon", "0 0 * 1-12/3 *",
        "0-59/60 0 * * *", "0 8-18/2 * * Mon-Fri", "59 23 31 12 7", "30 6 1-31 * 0-7", "0 0 * * sat,SUN",
        "1,2,3-5,*/20 0 * * *",
    ])
    func whatPeopleWriteMatchesAndIsRead(text: String) throws {
        #expect(try matches(text))
        #expect(try CronExpression(text).description == text)
    }

    @Test(arguments: [
        "", "@never", "0 6 * *", "0 6 * * * *", "60 6 * * *", "0 24 * * *", "0 0 0 * *", "0 0 32 * *", "0 0 * 13 *",
        "0 0 * * 8", "0 22-2 * * *", "0 0 * * FRI-TUE", "0/5 * * * *", "*/0 * * * *", "*/61 * * * *", "0 0 ? * *",
        "0 0 * FEBRUARY *", "1-2-3 * * * *", "1, 0 * * *",
    ])
    func whatIsNotReadDoesNotMatch(text: String) throws {
        #expect(try !matches(text))
        #expect(throws: ScheduleFault.self) { try CronExpression(text) }
    }

    /// Every single field that the pattern's parts can make is read: nothing that it matches is refused.
    @Test func whateverMatchesIsRead() throws {
        let regex = try Regex(CronExpression.pattern)
        var random = SplitMix(state: 7)
        let letters = Array("0123456789*/-, ")
        var read = 0
        for _ in 0..<20_000 {
            let fields = (0..<5).map { _ in
                Bool.random(using: &random)
                    ? "*"
                    : String(
                        (0..<Int.random(in: 1...5, using: &random)).map { _ in
                            letters.randomElement(using: &random) ?? "*"
                        }
                    )
            }
            let text = fields.joined(separator: " ")
            guard try regex.wholeMatch(in: text) != nil else { continue }
            do throws(ScheduleFault) { _ = try CronExpression(text) } catch {
                #expect(error.code == .cronNever, "\(text): \(error.message)")
            }
            read += 1
        }
        #expect(read > 500)
    }
}
