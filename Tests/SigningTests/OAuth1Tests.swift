import PlugCore
import Testing

@testable import Signing

/// OAuth 1.0a, against the examples of RFC 5849 and of well-known pages.
struct OAuth1Tests {
    private func signer(
        _ method: OAuth1Method = .hmacSHA1,
        secrets: (String, String),
        key: String? = nil
    ) throws -> OAuth1Signer {
        try OAuth1Signer(
            method,
            consumerKey: "consumer",
            consumerSecret: Secret(secrets.0),
            token: "token",
            tokenSecret: Secret(secrets.1),
            privateKey: key.map { Secret($0) }
        )
    }

    // MARK: - RFC 5849

    /// Section 3.4.1.1.
    private static let baseString =
        "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D"
        + "%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1"
        + "%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7"

    /// Section 3.4.1.1; the signature is that of erratum 2550.
    @Test func theBaseStringOfTheStandard() throws {
        let request = SignableRequest(
            method: "POST",
            scheme: "http",
            authority: "EXAMPLE.COM:80",
            path: "/request",
            query: "b5=%3D%253D&a3=a&c%40=&a2=r%20b",
            body: Array("c2&a3=2+q".utf8),
            hasForm: true
        )
        let text = OAuth1BaseString.text(
            of: request,
            with: [
                ("oauth_consumer_key", "9djdj82h48djs9d2"), ("oauth_token", "kkk9d7dh3k39sjv7"),
                ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "137131201"), ("oauth_nonce", "7d8f3e4a"),
            ]
        )
        #expect(text == Self.baseString)
        #expect(
            try signer(secrets: ("j49sk3j29djd", "dh893hdasih9")).signature(of: text) == "r6/TJjbCOr97/+UU0NsvSne7s5g="
        )
    }

    /// Section 1.2.
    @Test func theConversationOfTheStandard() throws {
        let first = OAuth1BaseString.text(
            of: SignableRequest(method: "POST", scheme: "https", authority: "photos.example.net", path: "/initiate"),
            with: [
                ("oauth_consumer_key", "dpf43f3p2l4k3l03"), ("oauth_signature_method", "HMAC-SHA1"),
                ("oauth_timestamp", "137131200"), ("oauth_nonce", "wIjqoS"),
                ("oauth_callback", "http://printer.example.com/ready"),
            ]
        )
        #expect(try signer(secrets: ("kd94hf93k423kf44", "")).signature(of: first) == "74KNZJeDHnMBp0EMJ9ZHt/XKycU=")
        let last = OAuth1BaseString.text(
            of: SignableRequest(
                method: "GET",
                scheme: "http",
                authority: "photos.example.net",
                path: "/photos",
                query: "file=vacation.jpg&size=original"
            ),
            with: [
                ("oauth_consumer_key", "dpf43f3p2l4k3l03"), ("oauth_token", "nnch734d00sl2jdk"),
                ("oauth_signature_method", "HMAC-SHA1"), ("oauth_timestamp", "137131202"), ("oauth_nonce", "chapoH"),
            ]
        )
        #expect(
            try signer(secrets: ("kd94hf93k423kf44", "pfkkdhi9sl3r4s00")).signature(of: last)
                == "MdpQcU8iPSUjWoN/UDMsK2sui9I="
        )
    }

    /// Section 3.4.1.2.
    @Test(
        arguments: [
            ("http", "EXAMPLE.COM:80", "/r%20v/X", "http%3A%2F%2Fexample.com%2Fr%2520v%2FX"),
            ("https", "www.example.net:8080", "/", "https%3A%2F%2Fwww.example.net%3A8080%2F"),
            ("https", "www.example.com:443", "/", "https%3A%2F%2Fwww.example.com%2F"),
            ("http", "www.example.com:443", "", "http%3A%2F%2Fwww.example.com%3A443%2F"),
        ]
    )
    func addresses(_ scheme: String, _ authority: String, _ path: String, _ expected: String) {
        let request = SignableRequest(method: "GET", scheme: scheme, authority: authority, path: path)
        #expect(OAuth1BaseString.text(of: request, with: []) == "GET&\(expected)&")
    }

    // MARK: - Other sources

    /// "Creating a signature" of the documentation of Twitter.
    @Test func theExampleOfAKnownService() throws {
        let signer = try OAuth1Signer(
            .hmacSHA1,
            consumerKey: "xvz1evFS4wEEPTGEFPHBog",
            consumerSecret: Secret("kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw"),
            token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
            tokenSecret: Secret("LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")
        )
        let request = SignableRequest(
            method: "post",
            scheme: "https",
            authority: "api.twitter.com",
            path: "/1/statuses/update.json",
            query: "include_entities=true",
            body: Array("status=Hello%20Ladies%20%2b%20Gentlemen%2c%20a%20signed%20OAuth%20request%21".utf8),
            hasForm: true
        )
        let parameters = try signer.parameters(
            for: request,
            timestamp: 1_318_622_958,
            nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg"
        )
        #expect(
            OAuth1Signer.header(parameters, realm: #"a "b""#)
                == #"OAuth realm="a \"b\"", oauth_consumer_key="xvz1evFS4wEEPTGEFPHBog", "#
                + #"oauth_token="370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb", "#
                + #"oauth_signature_method="HMAC-SHA1", oauth_timestamp="1318622958", "#
                + #"oauth_nonce="kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", oauth_version="1.0", "#
                + #"oauth_signature="tnnArxj06cWHq44gCs1OSKk%2FjLY%3D""#
        )
    }

    /// http://wiki.oauth.net/TestCases: HMAC-SHA1 and its parameters.
    @Test func theTestCasesOfTheWiki() throws {
        #expect(try signer(secrets: ("cs", "")).signature(of: "bs") == "egQqG5AJep5sJ7anhXju1unge2I=")
        #expect(try signer(secrets: ("cs", "ts")).signature(of: "bs") == "VZVjXceV7JgPq/dOTnNmEfO0Fv8=")
        for (query, normal) in [
            ("name", "name="), ("a=b", "a=b"), ("a=b&c=d", "a=b&c=d"), ("a=x!y&a=x+y", "a=x%20y&a=x%21y"),
            ("x!y=a&x=a", "x=a&x%21y=a"),
        ] {
            let request = SignableRequest(method: "GET", scheme: "http", authority: "a", path: "/", query: query)
            #expect(
                OAuth1BaseString.text(of: request, with: [])
                    == "GET&http%3A%2F%2Fa%2F&" + PercentEncoding.segment(normal)
            )
        }
        for (text, code) in [
            ("abcABC123", "abcABC123"), ("-._~", "-._~"), ("%", "%25"), ("+", "%2B"), ("&=*", "%26%3D%2A"),
            ("\u{0A}", "%0A"), (" ", "%20"), ("\u{7F}", "%7F"), ("\u{80}", "%C2%80"), ("\u{3001}", "%E3%80%81"),
        ] { #expect(PercentEncoding.segment(text) == code) }
    }

    /// http://wiki.oauth.net/TestCases: RSA-SHA1, with the key that stands there.
    @Test func theSignatureWithAPrivateKeyOfTheWiki() throws {
        let signer = try OAuth1Signer(
            .rsaSHA1,
            consumerKey: "dpf43f3p2l4k3l03",
            consumerSecret: Secret(""),
            // As it is often copied: in one line.
            privateKey: Secret(Self.key.replacing("\n", with: "\\n"))
        )
        let request = SignableRequest(
            method: "GET",
            scheme: "http",
            authority: "photos.example.net",
            path: "/photos",
            query: "file=vacaction.jpg&size=original"
        )
        let parameters = try signer.parameters(for: request, timestamp: 1_196_666_512, nonce: "13917289812797014437")
        #expect(parameters.map(\.name).contains("oauth_token") == false)
        #expect(
            parameters.last?.value
                == "jvTp/wX1TYtByB1m+Pbyo0lnCOLIsyGCH7wke8AUs3BpnwZJtAuEJkvQL2/9n4s5wUmUl4aCI4BwpraNx4RtEXMe5qg5T1LVTGliMRp"
                + "KasKsW//e+RinhejgCuzoH26dyF8iY2ZZ/5D1ilgeijhV/vBka5twt399mXwaYdCwFYE="
        )
    }

    /// Those of https://github.com/oauthlib/oauthlib, tests/oauth1/rfc5849/test_signatures.py.
    @Test func theSignaturesOfAKnownLibrary() throws {
        let secrets = ("ECrDNoq1VYzzzzzzzzzyAK7TwZNtPnkqatqZZZZ", "just-a-string    asdasd")
        #expect(try signer(secrets: secrets).signature(of: Self.baseString) == "wsdNmjGB7lvis0UJuPAmjvX/PXw=")
        #expect(
            try signer(.hmacSHA256, secrets: secrets).signature(of: Self.baseString)
                == "wdfdHUKXHbOnOGZP8WFAWMSAmWzN3EVBWWgXGlC/Eo4="
        )
    }

    /// Section 3.4.4 of RFC 5849.
    @Test func plaintextIsTheSecretsThemselves() throws {
        #expect(try signer(.plaintext, secrets: ("djr9rjt0jd78jf88", "")).signature(of: "any") == "djr9rjt0jd78jf88&")
        #expect(try signer(.plaintext, secrets: ("a&b", "c d")).signature(of: "any") == "a%26b&c%20d")
    }

    @Test func whatIsNoKeyIsRefused() {
        #expect(throws: OAuth1Signer.Refused(description: "is not a private RSA key of 1024 bits or more in PEM form"))
        {
            try signer(.rsaSHA1, secrets: ("", ""), key: "-----BEGIN PRIVATE KEY-----")
        }
    }

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIICdgIBADANBgkqhkiG9w0BAQEFAASCAmAwggJcAgEAAoGBALRiMLAh9iimur8V
        A7qVvdqxevEuUkW4K+2KdMXmnQbG9Aa7k7eBjK1S+0LYmVjPKlJGNXHDGuy5Fw/d
        7rjVJ0BLB+ubPK8iA/Tw3hLQgXMRRGRXXCn8ikfuQfjUS1uZSatdLB81mydBETlJ
        hI6GH4twrbDJCR2Bwy/XWXgqgGRzAgMBAAECgYBYWVtleUzavkbrPjy0T5FMou8H
        X9u2AC2ry8vD/l7cqedtwMPp9k7TubgNFo+NGvKsl2ynyprOZR1xjQ7WgrgVB+mm
        uScOM/5HVceFuGRDhYTCObE+y1kxRloNYXnx3ei1zbeYLPCHdhxRYW7T0qcynNmw
        rn05/KO2RLjgQNalsQJBANeA3Q4Nugqy4QBUCEC09SqylT2K9FrrItqL2QKc9v0Z
        zO2uwllCbg0dwpVuYPYXYvikNHHg+aCWF+VXsb9rpPsCQQDWR9TT4ORdzoj+Nccn
        qkMsDmzt0EfNaAOwHOmVJ2RVBspPcxt5iN4HI7HNeG6U5YsFBb+/GZbgfBT3kpNG
        WPTpAkBI+gFhjfJvRw38n3g/+UeAkwMI2TJQS4n8+hid0uus3/zOjDySH3XHCUno
        cn1xOJAyZODBo47E+67R4jV1/gzbAkEAklJaspRPXP877NssM5nAZMU0/O/NGCZ+
        3jPgDUno6WbJn5cqm8MqWhW1xGkImgRk+fkDBquiq4gPiT898jusgQJAd5Zrr6Q8
        AO/0isr/3aa6O6NLQxISLKcPDk2NOccAfS/xOtfOz4sJYM3+Bs4Io9+dZGSDCA54
        Lw03eHTNQghS0A==
        -----END PRIVATE KEY-----
        """
}
