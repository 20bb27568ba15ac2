import Cryptography
import JQ
import PlugCore
import Signing

extension ManifestBuilder {
    /// How a service reports news; `nil` if that is missing, or invalid.
    func webhook(_ keys: CheckedMapping, plug: String?, check: AccountCheck?, _ config: [ConfigField]) -> Webhook? {
        guard let entry = keys.entry("webhook"),
            let own = CheckedMapping(entry.value, Tables.webhook, at: entry.keyLocation, findings)
        else { return nil }
        let who = program(own["who"], .calls)
        let answer = program(own["answer"], .calls)
        let account = account(own, config)
        if who != nil, account == .label, check?.who == nil {
            findings.error(
                .webhookAccount,
                "'who' is compared with the account that 'check.who' found, and there is none",
                at: own.location("who"),
                help: "add check: {stream: …, who: …}, or write account: config.KEY"
            )
        }
        guard let verify = own.entry("verify"),
            let kinds = CheckedMapping(verify.value, Tables.webhookVerify, at: verify.keyLocation, findings),
            let kind = kinds.kind(of: Tables.webhookVerify, findings)
        else { return nil }
        let table = kind.key == "hmac" ? Tables.webhookHMAC : Tables.webhookToken
        guard let parts = CheckedMapping(kind.value, table, at: kind.keyLocation, findings) else { return nil }
        let provider = webhookProvider(parts) ?? plug
        let verification = kind.key == "hmac" ? hmac(parts) : token(parts)
        guard let verification, let provider, let account else { return nil }
        return Webhook(verification: verification, provider: provider, who: who, account: account, answer: answer)
    }

    /// What accounts are compared with.
    private func account(_ keys: CheckedMapping, _ config: [ConfigField]) -> Webhook.Account? {
        guard let node = keys["account"], let text = node.scalar?.text, text != "check" else { return .label }
        let name = text.hasPrefix("config.") ? String(text.dropFirst("config.".count)) : text
        if text.hasPrefix("config."), config.contains(where: { $0.name == name && !$0.isSecret }) {
            return .config(name)
        }
        let names = config.filter { !$0.isSecret }.map { "config.\($0.name)" }
        findings.error(
            .webhookAccount,
            "'\(MessageText.shortened(text))' is neither check nor a config key that may be shown",
            at: node.location,
            help: MessageText.help(for: text, in: ["check"] + names, called: "places")
        )
        return nil
    }

    private func webhookProvider(_ keys: CheckedMapping) -> String? {
        guard let node = keys["secret"], let text = node.scalar?.text else { return nil }
        if PlugName.isOne(text) { return text }
        // It is not the name of a provider; it may be the secret itself, which must not be quoted.
        findings.error(
            .badID,
            "'secret' is not the name of a provider",
            at: node.location,
            help:
                "name the provider in the host's configuration that has it as client_secret, such as 'example-webhook'"
        )
        return nil
    }

    private func token(_ keys: CheckedMapping) -> Webhook.Verification? {
        guard let kind = keys.kind(of: Tables.webhookToken, findings), let name = kind.value.scalar?.text else {
            return nil
        }
        let prefix = keys.text("prefix") ?? ""
        if kind.key == "query" { return .token(Webhook.Place(query: name, prefix: prefix)) }
        return header(kind.value).map { .token(Webhook.Place(header: $0, prefix: prefix)) }
    }

    private func hmac(_ keys: CheckedMapping) -> Webhook.Verification? {
        let timestamp = place(keys.entry("timestamp"))
        let id = place(keys.entry("id"))
        let tolerance = keys.duration("tolerance") ?? .seconds(300)
        if keys.isWritten("tolerance"), !keys.isWritten("timestamp") {
            findings.error(
                .missingKey,
                "'tolerance' needs 'timestamp': nothing else says how old a call is",
                at: keys.location("tolerance"),
                help: "add timestamp: {header: …}, or remove it"
            )
        }
        if let node = keys["tolerance"], tolerance > .seconds(86_400) {
            findings.error(
                .badDuration,
                "a call may be at most a day old",
                at: node.location,
                help: "write 5m, as most services have it"
            )
        }
        let signed = signed(keys, hasTimestamp: keys.isWritten("timestamp"), hasID: keys.isWritten("id"))
        guard let node = keys["header"], let header = header(node), let signed else { return nil }
        return .hmac(
            Webhook.HMACCheck(
                algorithm: keys.text("algorithm").flatMap(HashFunction.init(rawValue:)) ?? .sha256,
                keyEncoding: keys.text("key_encoding").flatMap(MessageSigner.KeyEncoding.init(rawValue:)) ?? .text,
                encoding: keys.text("encoding").flatMap(MessageSigner.Encoding.init(rawValue:)) ?? .hex,
                signature: Webhook.Place(header: header, prefix: keys.text("prefix") ?? ""),
                signed: signed,
                timestamp: timestamp,
                id: id,
                tolerance: tolerance
            )
        )
    }

    private func place(_ entry: YAMLEntry?) -> Webhook.Place? {
        guard let entry, let keys = CheckedMapping(entry.value, Tables.webhookHeader, at: entry.keyLocation, findings),
            let node = keys["header"], let name = header(node)
        else { return nil }
        return Webhook.Place(header: name, prefix: keys.text("prefix") ?? "")
    }

    /// A header's name in lower case.
    private func header(_ node: YAMLNode) -> String? {
        guard let text = node.scalar?.text else { return nil }
        let others = Set("!#$%&'*+-.^_`|~".utf8)
        let isName =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                others.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
            }
        if isName { return text.lowercased() }
        findings.error(
            .headerName,
            "'\(MessageText.shortened(text))' is not the name of a header",
            at: node.location,
            help: "write it as the service does, such as X-Signature"
        )
        return nil
    }

    /// The signed message, in pieces.
    private func signed(_ keys: CheckedMapping, hasTimestamp: Bool, hasID: Bool) -> [Webhook.Piece]? {
        guard let node = keys["signed"], let text = node.scalar?.text else {
            return hasTimestamp ? [.timestamp, .text("."), .body] : [.body]
        }
        let pieces = Self.pieces(text)
        func refuse(_ message: String, _ help: String) -> [Webhook.Piece]? {
            findings.error(.webhookSigned, message, at: node.location, help: help)
            return nil
        }
        if !pieces.contains(.body) { return refuse("'signed' has no {body}", "write {body} where the body is signed") }
        if pieces.contains(.timestamp), !hasTimestamp {
            return refuse("'signed' has {timestamp}, and nothing says where it is", "add timestamp: {header: …}")
        }
        if hasTimestamp, !pieces.contains(.timestamp) {
            return refuse(
                "'timestamp' is not signed, so anyone could write another one",
                "write {timestamp} into 'signed'"
            )
        }
        if pieces.contains(.id), !hasID {
            return refuse("'signed' has {id}, and nothing says where it is", "add id: {header: …}")
        }
        return pieces
    }

    private static func pieces(_ text: String) -> [Webhook.Piece] {
        let names: [(name: String, piece: Webhook.Piece)] = [
            ("{body}", .body), ("{timestamp}", .timestamp), ("{id}", .id),
        ]
        var (pieces, plain, rest): ([Webhook.Piece], String, Substring) = ([], "", text[...])
        while let first = rest.first {
            guard let found = names.first(where: { rest.hasPrefix($0.name) }) else {
                plain.append(first)
                rest.removeFirst()
                continue
            }
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
            pieces.append(found.piece)
            rest.removeFirst(found.name.count)
        }
        if !plain.isEmpty { pieces.append(.text(plain)) }
        return pieces
    }
}

extension ProgramScope {
    /// A program over a service's call.
    static let calls = ProgramScope(
        available: Set(Webhook.globals),
        globals: Webhook.globals,
        place: "a program over a call",
        seesSecrets: false
    )
}
