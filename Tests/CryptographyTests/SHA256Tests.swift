import Cryptography
import Testing

struct SHA256Tests {
    /// The examples of FIPS 180.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 1_000_000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        ),
    ])
    func theStandardsExamples(_ message: String, _ digest: String) {
        #expect(SHA256.hash(Array(message.utf8)) == bytes(digest))
    }

    @Test func piecesGiveTheDigestOfTheWhole() {
        let message = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        for size in [1, 63, 64, 65, 999, 1000] {
            var hash = SHA256()
            hash.update([])
            for start in stride(from: 0, to: message.count, by: size) {
                hash.update(Array(message[start..<min(start + size, message.count)]))
            }
            let digest = hash.finalize()
            #expect(digest == SHA256.hash(message), "pieces of \(size)")
        }
    }

    @Test func manyThreadsHashAtOnce() async {
        await withTaskGroup { group in
            for number in 0..<64 {
                group.addTask {
                    let message = [UInt8](repeating: UInt8(number), count: number * 100)
                    let digest = SHA256.hash(message)
                    return (0..<100).allSatisfy { _ in SHA256.hash(message) == digest }
                }
            }
            for await isTheSame in group { #expect(isTheSame) }
        }
    }
}
