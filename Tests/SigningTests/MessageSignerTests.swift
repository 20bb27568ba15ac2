import Cryptography
import PlugCore
import Testing

@testable import Signing

/// Messages that services sign in ways of their own, against the examples of their documentation.
struct MessageSignerTests {
    /// "Signed endpoint examples" of the documentation of Binance.
    @Test func anExampleInHexadecimal() throws {
        let signer = try MessageSigner(
            .sha256,
            key: Secret("NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j")
        )
        let query =
            "symbol=LTCBTC&side=BUY&type=LIMIT&timeInForce=GTC&quantity=1&price=0.1&recvWindow=5000&timestamp=1499827319559"
        #expect(
            signer.signature(of: Array(query.utf8))
                == "c8db56825ae71d6d79447849e617115f4a920fa2acdcab2b053c4b2838bd6b71"
        )
    }

    /// "Spot REST authentication" of the documentation of Kraken: the hash of one part stands within the message.
    @Test func anExampleInBase64() throws {
        let signer = try MessageSigner(
            .sha512,
            key: Secret("kQH5HW/8p1uGOVjbgWA7FunAmGO8lsSUXNsu3eow76sz84Q18fWxnyRzBHCd3pd5nE9qa99HAZtuZuj6F1huXg=="),
            .base64,
            .base64
        )
        let body = "nonce=1616492376594&ordertype=limit&pair=XBTUSD&price=37500&type=buy&volume=1.25"
        let message =
            Array("/0/private/AddOrder".utf8) + HashFunction.sha256.hash(Array("1616492376594\(body)".utf8))
        #expect(
            signer.signature(of: message)
                == "4/dpxb3iT4tp/ZCVEwSnEsLxx0bqyhLpdfOpc6fn7OR8+UClSV5n9E6aSS8MPtnRfp32bAb0nmbRn6H8ndwLUQ=="
        )
    }

    /// RFC 2202 and 4231, the second case of each, with a key and a signature in each spelling.
    @Test func spellings() throws {
        let message = Array("what do ya want for nothing?".utf8)
        #expect(
            try MessageSigner(.md5, key: Secret("Jefe")).signature(of: message) == "750c783e6ab0b503eaa86e310a5db738"
        )
        #expect(
            try MessageSigner(.sha1, key: Secret("4a656665"), .hex).signature(of: message)
                == "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
        )
        #expect(
            try MessageSigner(.sha256, key: Secret("SmVmZQ=="), .base64, .base64url).signature(of: message)
                == "W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM"
        )
    }

    /// RFC 1321, section A.5.
    @Test func withoutAKeyItIsTheHash() throws {
        #expect(
            try MessageSigner(.md5, key: nil).signature(of: Array("abc".utf8)) == "900150983cd24fb0d6963f7d28e17f72"
        )
    }

    @Test(arguments: [("abc", MessageSigner.KeyEncoding.hex), ("!", .base64), ("", .text), ("xyz0", .hex)])
    func whatIsNoKeyIsRefused(_ key: String, _ encoding: MessageSigner.KeyEncoding) {
        #expect(throws: MessageSigner.Refused(description: "is no \(encoding.rawValue)")) {
            try MessageSigner(.sha256, key: Secret(key), encoding)
        }
    }
}
