import CurlTransport
import OAuth
import PlugCore
import PlugManifest
import Signing

/// Signs with OAuth 1.0a: `auth.oauth1`.
struct OAuth1Signature: RequestSigning {
    private let signer: OAuth1Signer
    private let place: OAuth1Settings.Place
    private let realm: String?
    let hidden: [String]

    init(
        _ settings: OAuth1Settings,
        clients: [String: ClientIdentity],
        _ roots: TemplateRoots
    ) throws(PlugError) {
        func text(_ template: Template?) throws(PlugError) -> String? {
            try template.map { template throws(PlugError) in try Credentials.text(template, roots) }
        }
        let consumer = try settings.consumer(clients: clients, roots)
        let token = try text(settings.token)
        let tokenSecret = try text(settings.tokenSecret)
        realm = try text(settings.realm)
        place = settings.place
        hidden = consumer.hidden.map { $0.reveal() } + [token, tokenSecret].compactMap(\.self)
        signer = token.map { consumer.signer.with(token: $0, secret: Secret(tokenSecret ?? "")) } ?? consumer.signer
    }

    var queryNames: [String] {
        let names = ["consumer_key", "token", "signature_method", "timestamp", "nonce", "version", "signature"]
        return place == .query ? names.map { "oauth_\($0)" } : []
    }

    func sign(_ request: inout OutgoingRequest, _ occasion: SigningOccasion) throws(PlugError) {
        let seconds = occasion.clock.now() / 1_000_000
        var signer = signer
        if let token = occasion.token { signer = signer.with(token: token.text, secret: token.secret ?? Secret("")) }
        let parameters: [(name: String, value: String)]
        do {
            parameters = try signer.parameters(for: request.signable, timestamp: seconds, nonce: occasion.random())
        } catch {
            throw OAuth1Settings.unusable(error)
        }
        if let signature = parameters.last?.value { occasion.redactor.hide(signature: signature) }
        switch place {
        case .header: request.setHeader("Authorization", OAuth1Signer.header(parameters, realm: realm))
        case .query: request.url = request.url.settingQuery(parameters)
        }
    }
}
