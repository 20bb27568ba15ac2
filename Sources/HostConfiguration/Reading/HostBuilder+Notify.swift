internal import CurlTransport
internal import PlugCore
internal import PlugManifest

extension HostBuilder {
    /// More targets than any operator needs.
    private static let targetLimit = 20
    private static let recipientLimit = 20
    private static let timeouts = Duration.seconds(1)...(.seconds(300))

    /// The targets of `notify`, by name.
    func notify(_ environment: [String: String]) -> [Setting<NotifyTarget>] {
        guard let (node, layer) = effective("notify") else { return [] }
        let entries = node.mapping ?? []
        if entries.count > Self.targetLimit {
            let message = "'notify' has \(entries.count) targets; at most \(Self.targetLimit) are allowed"
            layer.findings.error(.outOfRange, message, at: node.location)
        }
        var isChecked = false
        return entries.compactMap { entry -> Setting<NotifyTarget>? in
            guard PlugName.isOne(entry.key) else {
                layer.findings.error(
                    .wrongValue,
                    "a target is named with lower-case letters, digits and hyphens, at most 64",
                    at: entry.keyLocation
                )
                return nil
            }
            guard let keys = CheckedMapping(entry.value, NotifyTables.target, at: entry.keyLocation, layer.findings),
                let kind = keys.kind(of: NotifyTables.target, layer.findings)
            else { return nil }
            let reading = NotifyReading(name: entry.key, layer: layer, environment: environment, builder: self)
            guard let way = reading.way(kind) else { return nil }
            if reading.holdsSecret(kind.value), !isChecked, layer.folder != nil {
                // One finding covers all secrets in the file.
                isChecked = true
                do throws(PlugError) { try PrivateFile.check(layer.name) } catch {
                    layer.findings.error(error.code, error.message, at: entry.keyLocation, help: error.advice)
                }
            }
            var target = NotifyTarget(name: entry.key, way: way)
            target.namesPDAs = keys["pdas"]?.scalar?.text == "true"
            return Setting(target, layer.origin(of: entry))
        }.sorted { $0.value.name < $1.value.name }
    }

    /// Reads one target.
    private struct NotifyReading {
        let name: String
        let layer: HostLayer
        let environment: [String: String]
        let builder: HostBuilder

        func way(_ kind: YAMLEntry) -> NotifyTarget.Way? {
            switch kind.key {
            case "webhook": webhook(kind)
            case "command": command(kind)
            default: mail(kind)
            }
        }

        /// Whether a secret is in the file itself.
        func holdsSecret(_ node: YAMLNode) -> Bool { ["secret", "password"].contains { node[$0]?.scalar != nil } }

        private func keys(_ entry: YAMLEntry, _ table: KeyTable) -> CheckedMapping? {
            CheckedMapping(entry.value, table, at: entry.keyLocation, layer.findings)
        }

        private func line(_ keys: CheckedMapping, _ key: String) -> String? {
            keys[key].flatMap { builder.line($0, key, layer) }
        }

        private func refuse(_ message: String, _ place: Diagnostic.Location, _ help: String) {
            layer.findings.error(.badNotify, message, at: place, help: help)
        }

        private func networks(_ keys: CheckedMapping) -> [CIDR]? {
            keys["networks"].map { builder.networks($0, layer) } ?? []
        }

        private func webhook(_ entry: YAMLEntry) -> NotifyTarget.Way? {
            guard let keys = keys(entry, NotifyTables.webhook), let text = line(keys, "url"),
                let networks = networks(keys), let secret = secret(keys, "secret")
            else { return nil }
            guard let url = try? HTTPURL(text) else {
                refuse("'url' is not an http or https address", keys.location("url"), "write https://HOST/PATH")
                return nil
            }
            let isHere = ListenAddress.isLoopback(ListenAddress.host(ofHeader: url.host))
            guard url.isSecure || isHere || !networks.isEmpty else {
                refuse(
                    "'url' must be https: anyone on the network path could read the notices",
                    keys.location("url"),
                    "write https://\(url.host), or name the private network that it is in under 'networks'"
                )
                return nil
            }
            guard let secret else {
                layer.findings.error(
                    .missingKey,
                    "'secret' is missing in a webhook of notices",
                    at: keys.place,
                    help: "write secret: {file: PATH}, or set \(variable("secret"))"
                )
                return nil
            }
            return .webhook(url, secret: secret, networks: networks)
        }

        private func command(_ entry: YAMLEntry) -> NotifyTarget.Way? {
            guard let keys = keys(entry, NotifyTables.command), let node = keys["run"],
                let words = builder.texts("run", node, layer)
            else { return nil }
            guard let first = words.first else {
                refuse("'run' names no program", node.location, "write run: [/usr/local/bin/page]")
                return nil
            }
            let timeout = keys["timeout"]?.scalar.flatMap { HumanDuration.parse($0.text) } ?? .seconds(30)
            guard HostBuilder.timeouts.contains(timeout) else {
                layer.findings.error(.outOfRange, "'timeout' must be from 1s to 5m", at: keys.location("timeout"))
                return nil
            }
            let isRelative = first.contains("/") && !first.hasPrefix("/")
            return .command(words, folder: isRelative ? layer.folder ?? "." : nil, timeout: timeout)
        }

        private func mail(_ entry: YAMLEntry) -> NotifyTarget.Way? {
            guard let keys = keys(entry, NotifyTables.mail), let text = line(keys, "server"),
                let from = line(keys, "from"), let networks = networks(keys), let password = secret(keys, "password"),
                let recipients = keys["to"]
            else { return nil }
            guard let server = MailServer(text) else {
                refuse("'server' is not a mail server's address", keys.location("server"), "write smtps://HOST[:PORT]")
                return nil
            }
            guard let to = addresses(recipients), isAddress(from, keys.location("from")) else { return nil }
            let username = line(keys, "username")
            if (username == nil) != (password == nil) {
                refuse(
                    "'username' and 'password' go together",
                    keys.location(username == nil ? "password" : "username"),
                    "write both, or none of them"
                )
                return nil
            }
            return .mail(
                NotifyTarget.Mail(
                    server: server,
                    username: username,
                    password: password,
                    from: from,
                    to: to,
                    networks: networks
                )
            )
        }

        private func addresses(_ node: YAMLNode) -> [String]? {
            let nodes = node.sequence ?? [node]
            guard (1...HostBuilder.recipientLimit).contains(nodes.count) else {
                layer.findings.error(
                    .outOfRange,
                    "'to' has from 1 to \(HostBuilder.recipientLimit) addresses",
                    at: node.location
                )
                return nil
            }
            let addresses = nodes.compactMap { node -> String? in
                guard let text = builder.line(node, "to", layer), isAddress(text, node.location) else { return nil }
                return text
            }
            return addresses.count == nodes.count ? addresses : nil
        }

        /// A bare address, of characters that need no quoting anywhere: it goes into commands and a header.
        private func isAddress(_ text: String, _ place: Diagnostic.Location) -> Bool {
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            func isWord(_ part: Substring, _ more: String) -> Bool {
                !part.isEmpty && !part.hasPrefix(".") && !part.hasSuffix(".")
                    && part.unicodeScalars.allSatisfy {
                        $0.isASCII
                            && ($0.properties.isAlphabetic || ("0"..."9").contains($0)
                                || more.unicodeScalars.contains($0))
                    }
            }
            if parts.count == 2, text.utf8.count <= 254, isWord(parts[0], "._%+-="), isWord(parts[1], ".-") {
                return true
            }
            refuse(
                "'\(MessageText.shortened(text))' is not an address of mail",
                place,
                "write NAME@HOST, and nothing else"
            )
            return false
        }

        private func variable(_ key: String) -> String {
            let word = name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
            return "PLUGHOST_NOTIFY_\(String(word))_\(key.uppercased())"
        }

        /// A secret from the environment, else from the file; `.some(nil)` if there is none, `nil` if it is invalid.
        private func secret(_ keys: CheckedMapping, _ key: String) -> Secret?? {
            let place = keys.location(key)
            do throws(PlugError) {
                if let text = environment[variable(key)], !text.isEmpty { return Secret(text) }
                if let path = environment["\(variable(key))_FILE"], !path.isEmpty { return try content(path) }
                guard let node = keys[key] else { return .some(.none) }
                guard node.mapping != nil else { return builder.line(node, key, layer).map { Secret($0) } }
                guard let inner = CheckedMapping(node, Shape.secretFile, at: node.location, layer.findings),
                    let path = line(inner, "file")
                else { return nil }
                return try content(path.hasPrefix("/") ? path : "\(layer.folder ?? ".")/\(path)")
            } catch {
                layer.findings.error(error.code, error.message, at: place, help: error.advice)
                return nil
            }
        }

        private func content(_ path: String) throws(PlugError) -> Secret {
            let text = try Files.secret(path, failing: .configuration)
            try PrivateFile.check(path)
            if !text.isEmpty { return Secret(text) }
            throw PlugError(
                .notifySecretEmpty,
                "\(DisplayText.escaped(path)) is empty",
                advice: "write the secret into it"
            )
        }
    }
}
