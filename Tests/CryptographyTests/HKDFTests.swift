import Cryptography
import Testing

/// RFC 5869, appendix A: the cases with SHA-256.
struct HKDFTests {
    @Test func aBasicCase() {
        let key = HKDF.extract(SecretBytes([UInt8](repeating: 0x0B, count: 22)), salt: [UInt8](0...0x0C))
        #expect(bytes(key) == bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"))
        let expanded = HKDF.expand(key, info: [UInt8](0xF0...0xF9), count: 42)
        #expect(
            bytes(expanded)
                == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
        )
    }

    @Test func longerInputsAndOutputs() {
        let key = HKDF.extract(SecretBytes([UInt8](0...0x4F)), salt: [UInt8](0x60...0xAF))
        #expect(bytes(key) == bytes("06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244"))
        let expanded = HKDF.expand(key, info: [UInt8](0xB0...0xFF), count: 82)
        #expect(
            bytes(expanded)
                == bytes(
                    """
                    b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c\
                    59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71\
                    cc30c58179ec3e87c14c01d5c1f3434f1d87
                    """
                )
        )
    }

    @Test func withoutSaltAndPurpose() {
        let key = HKDF.extract(SecretBytes([UInt8](repeating: 0x0B, count: 22)))
        #expect(bytes(key) == bytes("19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04"))
        let expanded = HKDF.expand(key, info: [], count: 42)
        #expect(
            bytes(expanded)
                == bytes("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8")
        )
    }

    @Test func theLargestAndTheSmallestOutput() {
        let key = SecretBytes([1])
        let most = bytes(HKDF.expand(key, info: [], count: 8160))
        #expect(most.count == 8160)
        #expect(bytes(HKDF.expand(key, info: [], count: 33)) == Array(most.prefix(33)))
        #expect(bytes(HKDF.expand(key, info: [], count: 0)) == [])
    }
}
