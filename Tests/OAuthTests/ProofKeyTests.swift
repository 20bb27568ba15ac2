import PlugCore
import Testing

@testable import OAuth

struct ProofKeyTests {
    /// RFC 7636, appendix B.
    @Test func theStandardsExample() {
        let key = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test func everyKeyIsAnotherAndHasTheStandardsLength() {
        let verifiers = (0..<100).map { _ in ProofKey().verifier.reveal() }
        #expect(Set(verifiers).count == 100)
        #expect(verifiers.allSatisfy { 43...128 ~= $0.utf8.count })
        #expect("\(ProofKey())".contains("<redacted>"))
    }
}
