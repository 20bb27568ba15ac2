import PlugCore
import Testing

@testable import Signing

/// AWS Signature Version 4, against the suite and the examples that AWS has published.
struct AWSTests {
    /// 2015-08-30T12:36:00Z
    private static let time: Int64 = 1_440_938_160_000_000
    private static let secret = Secret("wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")

    private func request(_ method: String, _ authority: String, _ target: String) -> SignableRequest {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        return SignableRequest(
            method: method,
            scheme: "https",
            authority: authority,
            path: parts[0],
            query: parts.count > 1 ? parts[1] : nil
        )
    }

    @Test(arguments: AWSSuite.cases)
    func theSuite(_ example: AWSCase) {
        let signer = AWSSigner(
            accessKey: "AKIDEXAMPLE",
            secretKey: Self.secret,
            sessionToken: example.token.map { Secret($0) },
            region: "us-east-1",
            service: "service"
        )
        var request = request(example.method, "example.amazonaws.com", example.target)
        request.headers = example.headers
        request.body = Array(example.body.utf8)
        let headers = signer.headers(
            for: request,
            now: Self.time,
            keepsPath: example.keepsPath,
            sendsHash: example.sendsHash
        )
        #expect(
            headers.last?.value
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=\(example.signedHeaders), Signature=\(example.signature)"
        )
        #expect(headers.first?.value == "20150830T123600Z")
    }

    @Test func aTimeThatTheRequestHasIsReplaced() {
        let signer = AWSSigner(accessKey: "AKIDEXAMPLE", secretKey: Self.secret, region: "us-east-1", service: "iam")
        var request = request("GET", "iam.amazonaws.com", "/?Action=ListUsers&Version=2010-05-08")
        let plain = signer.headers(for: request, now: Self.time)
        request.headers = [("x-amz-date", "20200101T000000Z")]
        #expect(signer.headers(for: request, now: Self.time).map(\.value) == plain.map(\.value))
    }

    /// "Create a signed AWS API request", the AWS General Reference.
    @Test func theExampleOfTheReference() {
        let signer = AWSSigner(accessKey: "AKIDEXAMPLE", secretKey: Self.secret, region: "us-east-1", service: "iam")
        var request = request("GET", "iam.amazonaws.com", "/?Action=ListUsers&Version=2010-05-08")
        request.headers = [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")]
        let headers = signer.headers(for: request, now: Self.time)
        #expect(headers.map(\.name) == ["X-Amz-Date", "Authorization"])
        #expect(
            headers[1].value
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
                + "SignedHeaders=content-type;host;x-amz-date, "
                + "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7"
        )
    }

    /// "Signature Calculations for the Authorization Header", the Amazon S3 API Reference.
    @Test(
        arguments: [
            (
                "GET", "/test.txt", [("Range", "bytes=0-9")], "",
                "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
            ),
            (
                "PUT", "/test$file.text",
                [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
                "Welcome to Amazon S3.", "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
            ),
            ("GET", "/?lifecycle", [], "", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            (
                "GET", "/?max-keys=2&prefix=J", [], "",
                "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
            ),
        ] as [(String, String, [(String, String)], String, String)]
    )
    func theExamplesOfStorage(
        _ method: String,
        _ target: String,
        _ headers: [(String, String)],
        _ body: String,
        _ signature: String
    ) {
        let signer = AWSSigner(
            accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1",
            service: "s3"
        )
        var request = request(method, "examplebucket.s3.amazonaws.com", target)
        request.headers = headers.map { (name: $0.0, value: $0.1) }
        request.body = Array(body.utf8)
        // 2013-05-24T00:00:00Z
        let signed = signer.headers(for: request, now: 1_369_353_600_000_000)
        #expect(signed.map(\.name) == ["X-Amz-Date", "X-Amz-Content-Sha256", "Authorization"])
        #expect(signed[2].value.hasSuffix("Signature=\(signature)"))
    }

    @Test func aPathIsEncodedOnceMoreForAllServicesButStorage() {
        func path(_ path: String, twice: Bool) -> String {
            let canonical = AWSCanonicalRequest(
                request("GET", "a.amazonaws.com", path),
                headers: [],
                payload: "",
                keepsPath: !twice,
                encodesPathTwice: twice
            )
            return canonical.text.split(separator: "\n")[1].description
        }
        #expect(path("/a%20b/c+d", twice: true) == "/a%2520b/c%2Bd")
        #expect(path("/a%20b//c+d", twice: false) == "/a%20b//c%2Bd")
    }
}
