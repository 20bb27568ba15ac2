import CurlTransport
import LosslessJSON
import OAuth
import PlugCore
import PlugManifest

/// The credentials of a run, bound to the hosts of the plug: they are only sent to one of these.
struct Credentials: Sendable {
    private enum Proof: Sendable {
        case none
        case keys([Key])
        /// A token of the run, added to each request.
        case token(place: Authorization.KeyPlace, name: String)
        /// Signs each request separately.
        case signature(any RequestSigning)

        static func signed(by signature: some RequestSigning) -> (Proof, [String]) {
            (.signature(signature), signature.hidden)
        }
    }

    /// A text added to each request unchanged.
    private struct Key: Sendable {
        let place: Authorization.KeyPlace
        let name: String
        let value: Secret

        static func authorization(_ value: String) -> Proof {
            .keys([Key(place: .header, name: "Authorization", value: Secret(value))])
        }
    }

    private let proof: Proof
    /// What no message may show of the proof, in addition to the configured secrets: it may be written literally in the manifest,
    /// and for `basic` a server sees the base64.
    let hidden: [String]
    private let hosts: HostSet
    /// Each `host:port` that the manifest itself requests, of those it lists. A redirect or a link to any other of them is
    /// followed without the proof.
    private let named: Set<String>

    /// Renders the credentials of a run.
    ///
    /// - Parameters:
    ///   - named: The `host:port` of `http.base` and of the streams' whole URLs.
    ///   - clients: The OAuth clients of this host, by provider.
    init(
        _ authorization: Authorization,
        hosts: HostSet,
        named: Set<String>,
        clients: [String: ClientIdentity] = [:],
        _ roots: TemplateRoots
    ) throws(PlugError) {
        self.hosts = hosts
        self.named = named
        switch authorization {
        case .none: (proof, hidden) = (.none, [])
        case .bearer(let token):
            let token = try Self.text(token, roots)
            (proof, hidden) = (Key.authorization("Bearer \(token)"), [token])
        case .basic(let username, let password):
            let user = try Self.text(username, roots, mayBeEmpty: true)
            if user.contains(":") {
                throw PlugError(
                    .badUsername,
                    "a user name for 'basic' cannot contain a colon",
                    advice: "check what 'auth.basic.username' refers to"
                )
            }
            let password = try Self.text(password, roots, mayBeEmpty: true)
            let encoded = Base64.encoded(Array("\(user):\(password)".utf8))
            proof = Key.authorization("Basic \(encoded)")
            // Without a password, the user name is the key, as some services expect.
            hidden = [encoded, password.isEmpty ? user : password]
        case .keys(let templates):
            var keys: [Key] = []
            for template in templates {
                let value = try Self.text(template.value, roots)
                if template.place == .cookie { try OutgoingRequest.checkCookie(value) }
                keys.append(Key(place: template.place, name: template.name, value: Secret(value)))
            }
            (proof, hidden) = (.keys(keys), keys.map { $0.value.reveal() })
        case .sign(let settings): (proof, hidden) = Proof.signed(by: try OwnSignature(settings, roots))
        case .oauth1(let settings):
            (proof, hidden) = Proof.signed(
                by: try OAuth1Signature(settings, clients: clients, roots)
            )
        case .aws(let settings): (proof, hidden) = Proof.signed(by: try AWSSignature(settings, roots))
        case .login(let settings): (proof, hidden) = (Self.place(of: settings.use), [])
        case .oauth2(let settings): (proof, hidden) = (Self.place(of: settings.use), [])
        case .anyOf: preconditionFailure("what the configuration chooses is rendered")
        }
    }

    private static func place(of use: TokenUse?) -> Proof {
        .token(place: use?.place ?? .header, name: use?.name ?? "Authorization")
    }

    static func text(
        _ template: Template,
        _ roots: TemplateRoots,
        mayBeEmpty: Bool = false
    ) throws(PlugError) -> String {
        let text = try template.renderText(roots)
        guard HeaderFields.isSendable(text) else {
            throw PlugError(
                .credentialUnreadable,
                "a credential of 'auth' contains a line break or another control character",
                advice: "check the file it comes from"
            )
        }
        if text.isEmpty, !mayBeEmpty {
            throw PlugError(
                .credentialMissing,
                "a credential of 'auth' is empty",
                advice: "set the config key that 'auth' refers to"
            )
        }
        return text
    }

    /// Whether the source sees all connections of the plug as the same user.
    var areEmpty: Bool { if case .none = proof { true } else { false } }

    /// Whether requests are signed, so that a wrong clock may be why they are refused.
    var areSigned: Bool { if case .signature = proof { true } else { false } }

    /// Whether the proof is sent to an address: one that the plug itself requests.
    func goes(to url: HTTPURL) -> Bool { hosts.contains(url) && named.contains(url.hostAndPort) }

    /// Whether the proof is sent with a request.
    func goes(with request: PreparedRequest) -> Bool {
        request.isNamed ? hosts.contains(request.url) : goes(to: request.url)
    }

    /// Adds the proof to a request it is sent with.
    ///
    /// - Parameters:
    ///   - token: The token of the run, if there is one.
    ///   - occasion: The inputs of a signature that vary per request.
    func apply(
        to request: inout OutgoingRequest,
        token: TokenKeeper.Token?,
        _ occasion: SigningOccasion
    ) throws(PlugError) {
        switch proof {
        case .none: break
        case .keys(let keys):
            for key in keys { try request.set(key.value.reveal(), key.name, in: key.place) }
        case .token(let place, let name):
            if let token { try request.set(token.text, name, in: place) }
        case .signature(let signature): try signature.sign(&request, occasion)
        }
    }

    /// An address without the proof, so that it can be kept.
    func removed(from url: HTTPURL) -> HTTPURL {
        switch proof {
        case .keys(let keys): url.removingQuery(keys.filter { $0.place == .query }.map(\.name))
        case .token(.query, let name): url.removingQuery([name])
        case .signature(let signature): url.removingQuery(signature.queryNames)
        default: url
        }
    }
}
