import Cryptography
import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import Signing

/// Signs in a service's own way: `auth.sign`.
struct OwnSignature: RequestSigning {
    private let settings: SignSettings
    private let signer: MessageSigner
    private let roots: TemplateRoots
    let hidden: [String]

    init(_ settings: SignSettings, _ roots: TemplateRoots) throws(PlugError) {
        self.settings = settings
        self.roots = roots
        let key = try settings.key.map { key throws(PlugError) in try Credentials.text(key, roots) }
        hidden = key.map { [$0] } ?? []
        do {
            signer = try MessageSigner(
                settings.hash,
                key: key.map { Secret($0) },
                settings.keyEncoding,
                settings.encoding
            )
        } catch {
            throw PlugError(
                .signingKeyUnusable,
                "the key of 'auth.sign' \(error)",
                advice: "check the key and 'key_encoding'"
            )
        }
    }

    var queryNames: [String] { settings.send.filter { $0.place == .query }.map(\.name) }

    func sign(_ request: inout OutgoingRequest, _ occasion: SigningOccasion) throws(PlugError) {
        var roots = roots
        roots.observer = { value, expression in occasion.redactor.learn(value, of: expression, isOfOneRequest: true) }
        let now = occasion.clock.now()
        let moment = Moment(time: now, nonce: occasion.nonces.next(at: now), random: occasion.random())
        roots.others[SignSettings.requestRoot] = moment.facts(of: request)
        let isSigned = { (key: Authorization.Key) in key.value.usedGlobals.contains(SignSettings.signatureRoot) }
        // Values sent beside the signature may be part of what is signed: a time in the query, a nonce in the form.
        for key in settings.send where !isSigned(key) { try put(key, into: &request, roots) }
        roots.others[SignSettings.requestRoot] = moment.facts(of: request)
        let signature = signer.signature(of: try message(roots))
        occasion.redactor.hide(signature: signature)
        roots.others[SignSettings.signatureRoot] = .text(signature)
        for key in settings.send where isSigned(key) {
            let value = try put(key, into: &request, roots)
            occasion.redactor.hide(signature: value)
        }
    }

    @discardableResult
    private func put(
        _ key: Authorization.Key,
        into request: inout OutgoingRequest,
        _ roots: TemplateRoots
    ) throws(PlugError) -> String {
        let value = try Credentials.text(key.value, roots)
        try request.set(value, key.name, in: key.place)
        return value
    }

    private func message(_ roots: TemplateRoots) throws(PlugError) -> [UInt8] {
        var message: [UInt8] = []
        for part in settings.parts {
            switch part {
            case .text(let template): message += Array(try template.renderText(roots).utf8)
            case .hash(let hash, let template): message += hash.hash(Array(try template.renderText(roots).utf8))
            }
        }
        return message
    }

    /// When a request is signed, and what makes it unique.
    private struct Moment {
        let time: Int64
        let nonce: Int64
        let random: String

        /// The root `request`.
        func facts(of request: OutgoingRequest) -> JSONValue {
            let url = request.url
            return .members(
                ("method", .text(request.method)),
                ("host", .text(request.authority)),
                ("path", .text(url.path)),
                ("query", .text(url.query ?? "")),
                ("target", .text(url.query.map { "\(url.path)?\($0)" } ?? url.path)),
                ("body", .text(String(decoding: request.body ?? [], as: UTF8.self))),
                ("time", .text(Timestamp(microseconds: time).rfc3339)),
                ("nonce", .number(JSONNumber(nonce))),
                ("random", .text(random))
            )
        }
    }
}
