internal import CurlTransport
internal import LosslessJSON
internal import OAuth
internal import PlugCore
internal import PlugFetch
internal import PlugManifest

/// All known secrets of a recording, with a description of each.
struct LiveSecrets {
    /// Each secret's description and value.
    private(set) var all: [(name: String, value: String)] = []
    private let manifest: Manifest
    private var known: Set<String> = []

    /// The least length of a secret that a service sets or is sent besides the configured ones: shorter ones are words.
    private static let shortest = 8

    init(
        _ manifest: Manifest,
        config: JSONObject,
        clients: [String: ClientIdentity],
        redactor: Redactor,
        _ exchanges: [RecordedExchange]
    ) {
        self.manifest = manifest
        for field in manifest.config where field.isSecret {
            for text in Self.texts(config[JSONString(field.name)]) {
                add("the secret '\(field.name)'", text, shortest: 1)
            }
        }
        for (provider, client) in clients.sorted(by: { $0.key < $1.key }) {
            if let secret = client.secret { add("the client secret for '\(provider)'", secret.reveal(), shortest: 1) }
        }
        for text in redactor.known { add("a token or another credential of this run", text, shortest: 4) }
        for exchange in exchanges { add(exchange) }
    }

    private mutating func add(_ exchange: RecordedExchange) {
        for header in exchange.request.headers where CredentialShapes.isSecretHeader(header.name) {
            if header.name.lowercased() == "cookie" {
                for pair in header.value.split(separator: ";") { addPair("a cookie", String(pair)) }
            } else {
                addProof("the header '\(DisplayText.escaped(header.name))'", header.value)
            }
        }
        let query = (try? HTTPURL(exchange.request.url))?.query ?? ""
        addFields(query, of: "parameter")
        if let body = exchange.request.body {
            if let value = try? JSONValue(parsing: body) {
                addMembers(value)
            } else {
                addFields(String(decoding: body, as: UTF8.self), of: "field")
            }
        }
        for header in exchange.headers.fields {
            let name = header.name.lowercased()
            if name == "set-cookie" {
                addPair("a cookie", String(header.value.prefix { $0 != ";" }))
            } else if CredentialShapes.isSecretHeader(name) {
                addProof("the header '\(DisplayText.escaped(name))'", header.value)
            }
        }
        if let value = try? JSONValue(parsing: exchange.body) { addMembers(value) }
    }

    /// `Bearer …`, `Basic …`, or a bare text.
    private mutating func addProof(_ name: String, _ value: String) {
        let words = value.split(separator: " ").map(String.init)
        for word in words.count > 1 ? Array(words.dropFirst()) : words {
            add(name, word, shortest: Self.shortest)
            // Of a name and a password, the password is the secret.
            guard words.first?.lowercased() == "basic", let bytes = Base64.decoded(word),
                let pair = String(validating: bytes, as: UTF8.self), let colon = pair.firstIndex(of: ":")
            else { continue }
            add(name, pair, shortest: Self.shortest)
            add(name, String(pair[pair.index(after: colon)...]), shortest: 4)
        }
    }

    private mutating func addPair(_ name: String, _ pair: String) {
        guard let equals = pair.firstIndex(of: "=") else { return }
        add(
            name,
            String(pair[pair.index(after: equals)...]).filter { !$0.isWhitespace && $0 != "\"" },
            shortest: Self.shortest
        )
    }

    private mutating func addFields(_ text: String, of kind: String) {
        for field in FormText.decode(text) ?? [] where CredentialShapes.isSecretParameter(field.name) {
            add("the \(kind) '\(DisplayText.escaped(field.name))'", field.value, shortest: Self.shortest)
        }
    }

    private mutating func addMembers(_ value: JSONValue) {
        if let elements = value.elements { for element in elements { addMembers(element) } }
        for (key, member) in value.object?.members ?? [] {
            if let text = member.stringText, CredentialShapes.isSecretMember(key.text) {
                add("the member '\(DisplayText.escaped(key.text))'", text, shortest: Self.shortest)
            }
            addMembers(member)
        }
    }

    /// Text that is in the manifest is no longer secret, and appears in the plug's requests.
    private mutating func add(_ name: String, _ value: String, shortest: Int) {
        guard value.utf8.count >= shortest, !manifest.source.text.contains(value), known.insert(value).inserted else {
            return
        }
        all.append((name, value))
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        guard let value else { return [] }
        if let elements = value.elements { return elements.flatMap(texts) }
        return [value.stringText ?? value.compactText]
    }
}
