import CurlTransport
import PlugCore
import PlugManifest
import Signing

/// Signs with AWS Signature 4: `auth.aws`.
struct AWSSignature: RequestSigning {
    private let signer: AWSSigner
    let hidden: [String]
    let queryNames: [String] = []

    init(_ settings: AWSSettings, _ roots: TemplateRoots) throws(PlugError) {
        let secret = try Credentials.text(settings.secretKey, roots)
        let session = try settings.sessionToken.map { token throws(PlugError) in
            try Credentials.text(token, roots, mayBeEmpty: true)
        }
        let token = session.flatMap { $0.isEmpty ? nil : $0 }
        hidden = [secret] + (token.map { [$0] } ?? [])
        signer = AWSSigner(
            accessKey: try Credentials.text(settings.accessKey, roots),
            secretKey: Secret(secret),
            sessionToken: token.map { Secret($0) },
            region: try Credentials.text(settings.region, roots),
            service: try Credentials.text(settings.service, roots)
        )
    }

    func sign(_ request: inout OutgoingRequest, _ occasion: SigningOccasion) throws(PlugError) {
        var signable = request.signable
        // Headers that a proxy may change on the way are left out.
        signable.headers = request.headers.map { ($0.name, $0.value) }.filter { name, _ in
            name.lowercased() == "content-type" || name.lowercased().hasPrefix("x-amz-")
        }
        for (name, value) in signer.headers(for: signable, now: occasion.clock.now()) {
            request.setHeader(name, value)
            if name == "Authorization", let equals = value.lastIndex(of: "=") {
                occasion.redactor.hide(signature: String(value[value.index(after: equals)...]))
            }
        }
    }
}
