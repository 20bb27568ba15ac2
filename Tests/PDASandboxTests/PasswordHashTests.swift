import PlugCore
import Testing

@testable import PDASandbox

struct PasswordHashTests {
    /// The third vector of RFC 7914, section 12: what `scrypt` gives for N = 16384. Its first 32 bytes.
    @Test func theUsualHashIsScryptWithFourteenBits() throws {
        let options = try SandboxOptions(stateFolder: "", owner: "bob", password: Secret("p"))
        let hash = try PasswordHash(rounds: options.passwordRounds)
            .derive("pleaseletmein", salt: Array("SodiumChloride".utf8))
        let hex = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(hex == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
    }
}
