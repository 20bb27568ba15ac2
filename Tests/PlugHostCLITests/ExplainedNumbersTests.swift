import PlugCore
import PlugDeliver
import TestKit
import Testing

@testable import PlugHostCLI

/// Numbers that explanations name are those of the code.
struct ExplainedNumbersTests {
    private func cause(_ code: String) -> String? {
        Explanations.all.first { $0.code.text == code }?.code.cause
    }

    @Test func thePatienceWithAPDAIsTheOneThatDeliveryHas() {
        let minutes = DeliveryOptions().maximumWait / .seconds(60)
        #expect(cause("pda-wait")?.contains("which is \(Int(minutes)) minutes in all") == true)
        #expect(minutes == minutes.rounded())
    }

    @Test func theProbesOfARunAreThoseOfDelivery() {
        #expect(cause("probe-budget")?.contains("at most \(DeliveryOptions().probesPerRun) this way") == true)
    }
}
