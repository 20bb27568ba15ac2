import Cryptography
import Testing

struct AESGCMTests {
    private static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    private static let plain = """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
        """
    private static let sealed = """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa\
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad
        """
    private static let zeros = String(repeating: "0", count: 64)

    private struct Example: Sendable {
        var key = AESGCMTests.key
        var nonce = "cafebabefacedbaddecaf888"
        var plain: String
        var associated = ""
        var sealed: String
        var tag: String
    }

    /// Cases 13 to 16 of the proposal to NIST ("The Galois/Counter Mode of Operation", appendix B).
    private static let examples = [
        Example(
            key: zeros,
            nonce: "000000000000000000000000",
            plain: "",
            sealed: "",
            tag: "530f8afbc74536b9a963b4f1c4cb738b"
        ),
        Example(
            key: zeros,
            nonce: "000000000000000000000000",
            plain: "00000000000000000000000000000000",
            sealed: "cea7403d4d606b6e074ec5d3baf39d18",
            tag: "d0d1c8a799996bf0265b98b5d48ab919"
        ),
        Example(plain: plain, sealed: sealed, tag: "b094dac5d93471bdec1a502270e3cc6c"),
        Example(
            plain: String(plain.prefix(120)),
            associated: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            sealed: String(sealed.prefix(120)),
            tag: "76fc6ece0f4e1768cddf8853bb2d551b"
        ),
    ]

    private func seal(_ plain: [UInt8], key: [UInt8], nonce: [UInt8]?, _ associated: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: plain.count + AESGCM.overhead) { sealed, count in
            count = plain.count + AESGCM.overhead
            let sealed = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(sealed)[..<count])
            plain.withUnsafeBytes {
                AESGCM.seal($0, into: sealed, key: SecretBytes(key), nonce: nonce, authenticating: associated)
            }
        }
    }

    /// What is in the place for the value afterwards, and whether the value was refused.
    private func open(_ sealed: [UInt8], key: [UInt8], _ associated: [UInt8]) -> (plain: [UInt8], isRefused: Bool) {
        var plain = [UInt8](repeating: 0xEE, count: max(sealed.count - AESGCM.overhead, 0))
        do {
            try plain.withUnsafeMutableBytes { plain in
                try sealed.withUnsafeBytes {
                    try AESGCM.open($0, into: plain, key: SecretBytes(key), authenticating: associated)
                }
            }
            return (plain, false)
        } catch {
            return (plain, true)
        }
    }

    @Test(arguments: examples.indices) func theProposalsExamples(_ index: Int) {
        let example = Self.examples[index]
        let (key, associated) = (bytes(example.key), bytes(example.associated))
        let sealed = bytes(example.nonce) + bytes(example.sealed) + bytes(example.tag)
        #expect(seal(bytes(example.plain), key: key, nonce: bytes(example.nonce), associated) == sealed)
        #expect(open(sealed, key: key, associated) == (bytes(example.plain), false))
    }

    @Test func whatIsRefusedLeavesNothingBehind() {
        let key = bytes(Self.key)
        var sealed = seal([1, 2, 3], key: key, nonce: nil, [4])
        #expect(open(sealed, key: key, [4]) == ([1, 2, 3], false))
        #expect(open(sealed, key: key, [5]) == ([0, 0, 0], true))
        #expect(open(sealed, key: key.reversed(), [4]) == ([0, 0, 0], true))
        #expect(open(Array(sealed.prefix(27)), key: key, [4]) == ([], true))
        sealed[12] ^= 1
        #expect(open(sealed, key: key, [4]) == ([0, 0, 0], true))
    }

    @Test func aNonceIsFreshEachTime() {
        let sealed = (0..<1_000).map { _ in Array(seal([], key: bytes(Self.key), nonce: nil, []).prefix(12)) }
        #expect(Set(sealed).count == 1_000)
    }
}
