import PlugCore
import Testing

struct SecretTests {
    @Test func aSecretNeverPrintsItself() {
        let secret = Secret("canary-7f3a")
        #expect("\(secret)" == "<redacted>")
        #expect(String(reflecting: secret) == "<redacted>")
        var dumped = ""
        dump(secret, to: &dumped)
        #expect(!dumped.contains("canary"))
        #expect(secret.reveal() == "canary-7f3a")
    }
}
