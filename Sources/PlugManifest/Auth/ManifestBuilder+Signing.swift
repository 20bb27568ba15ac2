import Cryptography
import PlugCore
import Signing

/// `sign`, `oauth1` and `aws`: signatures for each request.
extension ManifestBuilder {
    // MARK: - A service's own way

    func sign(_ kind: YAMLEntry) -> Authorization? {
        guard let keys = CheckedMapping(kind.value, Tables.sign, at: kind.keyLocation, findings) else { return nil }
        let roots = [SignSettings.requestRoot, SignSettings.signatureRoot]
        let sent = ProgramScope.template("send", Self.connectionRoots, own: roots)
        // The signature is known to this scope, too, as something that has no value yet.
        let message = ProgramScope(
            available: sent.available.subtracting([SignSettings.signatureRoot]),
            globals: sent.globals,
            place: "what is signed",
            seesSecrets: true
        )
        let parts = parts(keys, message)
        let key = template(keys["key"], Self.authScope)
        checkHidden(key, "key")
        if !keys.isWritten("key"), keys.isWritten("key_encoding") {
            findings.error(
                .signExcludes,
                "'key_encoding' has no meaning without 'key'",
                at: keys.location("key_encoding"),
                help: "add the key, or remove it"
            )
        }
        guard let send = keys.entry("send").flatMap({ self.keys($0, sent) }) else { return nil }
        if !send.contains(where: { $0.value.usedGlobals.contains(SignSettings.signatureRoot) }) {
            let help = "write {{ signature }} where the signature goes"
            findings.error(.signNeeds, "'send' does not contain the signature", at: keys.location("send"), help: help)
        }
        guard let parts, key != nil || !keys.isWritten("key") else { return nil }
        return .sign(
            SignSettings(
                parts: parts,
                key: key,
                keyEncoding: keys.text("key_encoding").flatMap(MessageSigner.KeyEncoding.init(rawValue:)) ?? .text,
                hash: keys.text("hash").flatMap(HashFunction.init(rawValue:)) ?? .sha256,
                encoding: keys.text("encoding").flatMap(MessageSigner.Encoding.init(rawValue:)) ?? .hex,
                send: send
            )
        )
    }

    /// The signed message; `nil` if it is missing, or invalid.
    private func parts(_ keys: CheckedMapping, _ scope: ProgramScope) -> [SignSettings.Part]? {
        guard let entry = keys.kind(of: Tables.sign, findings) else { return nil }
        guard let nodes = entry.value.sequence else { return template(entry.value, scope).map { [.text($0)] } }
        if nodes.isEmpty {
            findings.error(.signNeeds, "'parts' is empty", at: entry.value.location, help: "write '- text: …'")
        }
        let parts = nodes.map { node -> SignSettings.Part? in
            guard let keys = CheckedMapping(node, Tables.signPart, at: node.location, findings),
                let kind = keys.kind(of: Tables.signPart, findings), let text = template(kind.value, scope)
            else { return nil }
            return HashFunction(rawValue: kind.key).map { .hash($0, text) } ?? .text(text)
        }
        let found = parts.compactMap(\.self)
        return found.count == nodes.count && !found.isEmpty ? found : nil
    }

    // MARK: - AWS

    func aws(_ kind: YAMLEntry) -> Authorization? {
        guard let keys = CheckedMapping(kind.value, Tables.aws, at: kind.keyLocation, findings) else { return nil }
        let scope = Self.authScope
        let accessKey = header(keys["access_key"], scope)
        let secretKey = template(keys["secret_key"], scope)
        checkHidden(secretKey, "secret_key")
        let sessionToken = header(keys["session_token"], scope)
        checkHidden(sessionToken, "session_token")
        let region = header(keys["region"], scope)
        let service = header(keys["service"], scope)
        guard let accessKey, let secretKey, let region, let service else { return nil }
        return .aws(
            AWSSettings(
                accessKey: accessKey,
                secretKey: secretKey,
                sessionToken: sessionToken,
                region: region,
                service: service
            )
        )
    }
}
