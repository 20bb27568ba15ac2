import Cryptography
import Testing

struct SecretsTests {
    @Test func aSecretHoldsACopy() {
        var original: [UInt8] = [1, 2, 3]
        let secret = SecretBytes(original)
        original[0] = 9
        #expect(bytes(secret) == [1, 2, 3])
        #expect(secret.count == 3)
        #expect(bytes(SecretBytes([])) == [])
    }

    @Test func randomSecretsDiffer() {
        let secrets = (0..<1_000).map { _ in bytes(SecretBytes.random(count: 32)) }
        #expect(Set(secrets).count == 1_000)
        #expect(secrets.allSatisfy { $0.count == 32 })
        // More than the kernel gives at once. Each value appears: a part that was not filled is zeros.
        let many = bytes(SecretBytes.random(count: 100_000))
        #expect(stride(from: 0, to: 100_000, by: 10_000).allSatisfy { Set(many[$0..<$0 + 10_000]).count == 256 })
    }

    @Test func equalityIsThatOfTheBytes() {
        #expect(ConstantTime.areEqual([], []))
        #expect(ConstantTime.areEqual([1, 2], [1, 2]))
        #expect(!ConstantTime.areEqual([1, 2], [1, 3]))
        #expect(!ConstantTime.areEqual([1, 2], [0, 2]))
        #expect(!ConstantTime.areEqual([1, 2], [1]))
        #expect(!ConstantTime.areEqual([], [0]))
    }
}
