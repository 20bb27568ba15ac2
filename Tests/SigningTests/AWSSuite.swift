/// One case of AWS' own suite for Signature Version 4.
struct AWSCase: Sendable, CustomStringConvertible {
    let name: String
    let method: String
    let target: String
    let headers: [(name: String, value: String)]
    let body: String
    let token: String?
    let keepsPath: Bool
    let sendsHash: Bool
    let signedHeaders: String
    let signature: String

    var description: String { name }

    init(
        _ name: String,
        _ method: String,
        _ target: String,
        headers: [(String, String)] = [],
        body: String = "",
        token: String? = nil,
        keepsPath: Bool = false,
        sendsHash: Bool = false,
        signed: String,
        _ signature: String
    ) {
        (self.name, self.method, self.target, self.body) = (name, method, target, body)
        self.headers = headers.map { (name: $0.0, value: $0.1) }
        (self.token, self.keepsPath, self.sendsHash) = (token, keepsPath, sendsHash)
        (signedHeaders, self.signature) = (signed, signature)
    }
}

/// The requests and signatures of https://github.com/awslabs/aws-c-auth, tests/aws-signing-test-suite/v4 at 495329c (Apache
/// License 2.0), which AWS has published as "Signature Version 4 Test Suite" before. All are for `example.amazonaws.com`, the
/// region us-east-1, the service named service and 2015-08-30T12:36:00Z.
enum AWSSuite {
    static let cases = [
        AWSCase(
            "get-header-key-duplicate",
            "GET",
            "/",
            headers: [("My-Header1", "value2"), ("My-Header1", "value2"), ("My-Header1", "value1")],
            signed: "host;my-header1;x-amz-date",
            "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"
        ),
        AWSCase(
            "get-header-value-multiline",
            "GET",
            "/",
            headers: [("My-Header1", "value1\n  value2\n     value3")],
            signed: "host;my-header1;x-amz-date",
            "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd"
        ),
        AWSCase(
            "get-header-value-order",
            "GET",
            "/",
            headers: [
                ("My-Header1", "value4"), ("My-Header1", "value1"), ("My-Header1", "value3"), ("My-Header1", "value2"),
            ],
            signed: "host;my-header1;x-amz-date",
            "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"
        ),
        AWSCase(
            "get-header-value-trim",
            "GET",
            "/",
            headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
            signed: "host;my-header1;my-header2;x-amz-date",
            "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"
        ),
        AWSCase(
            "get-relative-normalized",
            "GET",
            "/example/..",
            signed: "host;x-amz-date",
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        AWSCase(
            "get-relative-relative-normalized",
            "GET",
            "/example1/example2/../..",
            signed: "host;x-amz-date",
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        AWSCase(
            "get-relative-relative-unnormalized",
            "GET",
            "/example1/example2/../..",
            keepsPath: true,
            signed: "host;x-amz-date",
            "dc33e0856fd4baca4d7aa2146c38958283844764f38c74252a333df5e613003b"
        ),
        AWSCase(
            "get-relative-unnormalized",
            "GET",
            "/example/..",
            keepsPath: true,
            signed: "host;x-amz-date",
            "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282"
        ),
        AWSCase(
            "get-slash-dot-slash-normalized",
            "GET",
            "/./",
            signed: "host;x-amz-date",
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        AWSCase(
            "get-slash-dot-slash-unnormalized",
            "GET",
            "/./",
            keepsPath: true,
            signed: "host;x-amz-date",
            "68714168e6557f8f2de0ef956fc24dc2593a4bd2961f8df51898d8a134695145"
        ),
        AWSCase(
            "get-slash-normalized",
            "GET",
            "//",
            signed: "host;x-amz-date",
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        AWSCase(
            "get-slash-pointless-dot-normalized",
            "GET",
            "/./example",
            signed: "host;x-amz-date",
            "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"
        ),
        AWSCase(
            "get-slash-pointless-dot-unnormalized",
            "GET",
            "/./example",
            keepsPath: true,
            signed: "host;x-amz-date",
            "beb03f223f7deae4146464f06e29eebbee9c8afbe15c290cf07aa8b119e14cff"
        ),
        AWSCase(
            "get-slash-unnormalized",
            "GET",
            "//",
            keepsPath: true,
            signed: "host;x-amz-date",
            "c88bcd3d312d75078c0cd961d6deae3f4c754924b01669efcfcb439fd5e5b76e"
        ),
        AWSCase(
            "get-slashes-normalized",
            "GET",
            "//example//",
            signed: "host;x-amz-date",
            "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"
        ),
        AWSCase(
            "get-slashes-unnormalized",
            "GET",
            "//example//",
            keepsPath: true,
            signed: "host;x-amz-date",
            "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5"
        ),
        AWSCase(
            "get-space-normalized",
            "GET",
            "/example space/",
            signed: "host;x-amz-date",
            "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"
        ),
        AWSCase(
            "get-space-unnormalized",
            "GET",
            "/example space/",
            keepsPath: true,
            signed: "host;x-amz-date",
            "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"
        ),
        AWSCase(
            "get-unreserved",
            "GET",
            "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            signed: "host;x-amz-date",
            "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"
        ),
        AWSCase(
            "get-utf8",
            "GET",
            "/ሴ",
            signed: "host;x-amz-date",
            "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"
        ),
        AWSCase(
            "get-vanilla",
            "GET",
            "/",
            signed: "host;x-amz-date",
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        AWSCase(
            "get-vanilla-empty-query-key",
            "GET",
            "/?Param1=value1",
            signed: "host;x-amz-date",
            "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"
        ),
        AWSCase(
            "get-vanilla-query",
            "GET",
            "/",
            signed: "host;x-amz-date",
            "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"
        ),
        AWSCase(
            "get-vanilla-query-order-encoded",
            "GET",
            "/?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
            signed: "host;x-amz-date",
            "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac"
        ),
        AWSCase(
            "get-vanilla-query-order-key-case",
            "GET",
            "/?Param2=value2&Param1=value1",
            signed: "host;x-amz-date",
            "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
        ),
        AWSCase(
            "get-vanilla-query-unreserved",
            "GET",
            "/?-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz=-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            signed: "host;x-amz-date",
            "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"
        ),
        AWSCase(
            "get-vanilla-utf8-query",
            "GET",
            "/?ሴ=bar",
            signed: "host;x-amz-date",
            "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"
        ),
        AWSCase(
            "get-vanilla-with-session-token",
            "GET",
            "/",
            token: "6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267",
            signed: "host;x-amz-date;x-amz-security-token",
            "07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8"
        ),
        AWSCase(
            "post-header-key-case",
            "POST",
            "/",
            signed: "host;x-amz-date",
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        AWSCase(
            "post-header-key-sort",
            "POST",
            "/",
            headers: [("My-Header1", "value1")],
            signed: "host;my-header1;x-amz-date",
            "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"
        ),
        AWSCase(
            "post-header-value-case",
            "POST",
            "/",
            headers: [("My-Header1", "VALUE1")],
            signed: "host;my-header1;x-amz-date",
            "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"
        ),
        AWSCase(
            "post-sts-header-after",
            "POST",
            "/",
            signed: "host;x-amz-date",
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        AWSCase(
            "post-sts-header-before",
            "POST",
            "/",
            token:
                "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==",
            signed: "host;x-amz-date;x-amz-security-token",
            "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"
        ),
        AWSCase(
            "post-vanilla",
            "POST",
            "/",
            signed: "host;x-amz-date",
            "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"
        ),
        AWSCase(
            "post-vanilla-empty-query-value",
            "POST",
            "/?Param1=value1",
            signed: "host;x-amz-date",
            "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"
        ),
        AWSCase(
            "post-vanilla-query",
            "POST",
            "/?Param1=value1",
            signed: "host;x-amz-date",
            "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"
        ),
        AWSCase(
            "post-x-www-form-urlencoded",
            "POST",
            "/",
            headers: [("Content-Type", "application/x-www-form-urlencoded"), ("Content-Length", "13")],
            body: "Param1=value1",
            sendsHash: true,
            signed: "content-length;content-type;host;x-amz-content-sha256;x-amz-date",
            "d3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b"
        ),
        AWSCase(
            "post-x-www-form-urlencoded-parameters",
            "POST",
            "/",
            headers: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"), ("Content-Length", "13")],
            body: "Param1=value1",
            sendsHash: true,
            signed: "content-length;content-type;host;x-amz-content-sha256;x-amz-date",
            "328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422"
        ),
    ]
}
