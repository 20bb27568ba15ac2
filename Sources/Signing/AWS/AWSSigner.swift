internal import Cryptography
package import PlugCore

/// Signs requests with AWS Signature Version 4
/// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
package struct AWSSigner: Sendable {
    private let accessKey: String
    private let secretKey: Secret
    private let sessionToken: Secret?
    private let region: String
    private let service: String

    private static let algorithm = "AWS4-HMAC-SHA256"

    /// - Parameter sessionToken: For temporary credentials.
    package init(
        accessKey: String,
        secretKey: Secret,
        sessionToken: Secret? = nil,
        region: String,
        service: String
    ) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
        self.region = region
        self.service = service
    }

    /// S3 takes paths unchanged, and requires the hash of the body in a header.
    private var isStorage: Bool { service == "s3" }

    /// The headers that sign a request, `Authorization` last. The request's own headers are signed, too.
    ///
    /// - Parameter now: Microseconds since 1970.
    package func headers(for request: SignableRequest, now: Int64) -> [(name: String, value: String)] {
        headers(for: request, now: now, keepsPath: isStorage, sendsHash: isStorage)
    }

    /// - Parameters:
    ///   - keepsPath: Whether the path is signed without removing dot segments and empty segments.
    ///   - sendsHash: Whether the hash of the body is sent in a header.
    func headers(
        for request: SignableRequest,
        now: Int64,
        keepsPath: Bool,
        sendsHash: Bool
    ) -> [(name: String, value: String)] {
        let time = Self.time(now)
        let payload = Hexadecimal.encoded(SHA256.hash(request.body))
        var own: [(name: String, value: String)] = [("X-Amz-Date", time)]
        if let sessionToken { own.append(("X-Amz-Security-Token", sessionToken.reveal())) }
        if sendsHash { own.append(("X-Amz-Content-Sha256", payload)) }
        // They replace those of the request.
        let names = Set(own.map { $0.name.lowercased() })
        let canonical = AWSCanonicalRequest(
            request,
            headers: request.headers.filter { !names.contains($0.name.lowercased()) } + own,
            payload: payload,
            keepsPath: keepsPath,
            encodesPathTwice: !isStorage
        )
        let day = String(time.prefix(8))
        let scope = "\(day)/\(region)/\(service)/aws4_request"
        let message =
            "\(Self.algorithm)\n\(time)\n\(scope)\n" + Hexadecimal.encoded(SHA256.hash(Array(canonical.text.utf8)))
        let signature = Hexadecimal.encoded(HMAC.code(for: Array(message.utf8), key: key(of: day)))
        let authorization =
            "\(Self.algorithm) Credential=\(accessKey)/\(scope), SignedHeaders=\(canonical.signedHeaders), "
            + "Signature=\(signature)"
        return own + [("Authorization", authorization)]
    }

    /// The signing key for a day, valid for one region and one service.
    private func key(of day: String) -> SecretBytes {
        [day, region, service, "aws4_request"].reduce(SecretBytes(Array("AWS4\(secretKey.reveal())".utf8))) {
            key,
            step in
            SecretBytes(HMAC.code(for: Array(step.utf8), key: key))
        }
    }

    /// A time such as `20150830T123600Z`.
    private static func time(_ now: Int64) -> String {
        let time = Timestamp(microseconds: now).rfc3339.prefix { $0 != "." && $0 != "Z" }
        return time.filter { $0 != "-" && $0 != ":" } + "Z"
    }
}
