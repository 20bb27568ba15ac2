import CurlTransport
import PlugCore
import PlugManifest
import Signing

/// A signature with OAuth 1.0a: `auth.oauth1`.
struct OAuth1Signature: RequestSigning {
    private let signer: OAuth1Signer
    private let place: OAuth1Settings.Place
    private let realm: String?
    let hidden: [String]

    init(_ settings: OAuth1Settings, _ roots: TemplateRoots) throws(PlugError) {
        func text(_ template: Template?, isPEM: Bool = false) throws(PlugError) -> String? {
            guard let template else { return nil }
            return isPEM ? try template.renderText(roots) : try Credentials.text(template, roots)
        }
        let secret = try text(settings.consumerSecret)
        let token = try text(settings.token)
        let tokenSecret = try text(settings.tokenSecret)
        let key = try text(settings.privateKey, isPEM: true)
        realm = try text(settings.realm)
        place = settings.place
        hidden = [secret, token, tokenSecret, key].compactMap(\.self)
        do {
            signer = try OAuth1Signer(
                settings.method,
                consumerKey: try Credentials.text(settings.consumerKey, roots),
                consumerSecret: Secret(secret ?? ""),
                token: token,
                tokenSecret: Secret(tokenSecret ?? ""),
                privateKey: key.map { Secret($0) }
            )
        } catch let error as PlugError {
            throw error
        } catch {
            throw Self.unusable(error)
        }
    }

    var queryNames: [String] {
        let names = ["consumer_key", "token", "signature_method", "timestamp", "nonce", "version", "signature"]
        return place == .query ? names.map { "oauth_\($0)" } : []
    }

    func sign(_ request: inout OutgoingRequest, _ occasion: SigningOccasion) throws(PlugError) {
        let seconds = occasion.clock.now() / 1_000_000
        let parameters: [(name: String, value: String)]
        do {
            parameters = try signer.parameters(for: request.signable, timestamp: seconds, nonce: occasion.random())
        } catch {
            throw Self.unusable(error)
        }
        if let signature = parameters.last?.value { occasion.redactor.hide(signature: signature) }
        switch place {
        case .header: request.setHeader("Authorization", OAuth1Signer.header(parameters, realm: realm))
        case .query: request.url = request.url.settingQuery(parameters)
        }
    }

    private static func unusable(_ error: any Error) -> PlugError {
        PlugError(
            .signingKeyUnusable,
            "the key 'auth.oauth1.private_key' \(error)",
            advice: "give the private key that the service knows the other half of: --config KEY=@FILE"
        )
    }
}
