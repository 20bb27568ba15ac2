import Cryptography
import Testing

/// The hashes that services name.
struct HashFunctionTests {
    /// RFC 1321 (A.5), FIPS 180-4: the digests of "abc".
    @Test(
        arguments: [
            (HashFunction.md5, "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                .sha384,
                "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"
            ),
            (
                .sha512,
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d44236"
                    + "43ce80e2a9ac94fa54ca49f"
            ),
        ]
    )
    func digests(_ function: HashFunction, _ digest: String) {
        #expect(function.hash(Array("abc".utf8)) == bytes(digest))
        #expect(function.size == bytes(digest).count)
    }

    /// RFC 2202 (section 3, case 6) and 4231 (case 6): a key of more than a block.
    @Test(
        arguments: [
            (HashFunction.md5, 80, "6b1ab7fe4bd7bf8f0b62e6ce61b9d0cd"),
            (.sha1, 80, "aa4ae5e15272d00e95705637ce8a3b55ed402112"),
            (.sha256, 131, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"),
            (
                .sha384, 131,
                "4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c60c2ef6ab4030fe8296248df163f44952"
            ),
            (
                .sha512, 131,
                "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f3526b56d037e05f2598bd0fd2215d6a1e5295e64f73f"
                    + "63f0aec8b915a985d786598"
            ),
        ]
    )
    func codesWithLongKeys(_ function: HashFunction, _ size: Int, _ code: String) {
        let key = SecretBytes([UInt8](repeating: 0xAA, count: size))
        let message = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        #expect(function.code(for: message, key: key) == bytes(code))
    }

    @Test func anEmptyKeyIsOne() {
        let code = HashFunction.sha256.code(for: [], key: SecretBytes([]))
        #expect(code == bytes("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
        #expect(code == HMAC.code(for: [], key: SecretBytes([])))
    }
}
