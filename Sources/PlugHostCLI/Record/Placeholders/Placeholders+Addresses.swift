internal import CurlTransport
internal import PlugCore
internal import PlugManifest

extension Placeholders {
    /// `scheme://host/path?query#fragment` with placeholders for everything that is not the service's.
    func address(_ text: String) -> String {
        guard let scheme = text.firstRange(of: "://") else { return reference(text) }
        let rest = text[scheme.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        return
            "\(text[..<scheme.upperBound])\(host(String(authority)))\(reference(String(rest[authority.endIndex...])))"
    }

    /// A path with query and fragment.
    func reference(_ text: String) -> String {
        let path = text.prefix { $0 != "?" && $0 != "#" }
        var rest = text[path.endIndex...]
        var output = path.split(separator: "/", omittingEmptySubsequences: false).map { segment(String($0)) }.joined(
            separator: "/"
        )
        if rest.first == "?" {
            let query = rest.dropFirst().prefix { $0 != "#" }
            rest = rest[query.endIndex...]
            output += "?" + self.query(String(query))
        }
        if rest.first == "#" { output += "#" + segment(String(rest.dropFirst())) }
        return output
    }

    /// `name=value&name=value`, in an address or a form.
    func query(_ text: String) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { part in
            let name = part.prefix { $0 != "=" }
            let shown = parameter(String(name))
            guard part.count > name.count else { return shown }
            let value = String(part.dropFirst(name.count + 1))
            let isSecret = CredentialShapes.isSecretParameter(Self.decoded(String(name)))
            return
                "\(shown)=\(encoded(value) { isSecret ? self.hidden($0) : self.text($0, member: Self.decoded(String(name))) })"
        }.joined(separator: "&")
    }

    private func parameter(_ name: String) -> String {
        let plain = Self.decoded(name)
        let isSigned = plain.lowercased().hasPrefix("x-amz-") || plain.lowercased().hasPrefix("x-goog-")
        if isSigned || words.words.contains(plain) || KnownWords.areAll(of: plain) { return name }
        return encoded(name) { self.words(of: $0, keepingKnown: true) }
    }

    private func segment(_ text: String) -> String {
        encoded(text) { plain in
            guard !self.looksSecret(plain) else { return self.hidden(plain) }
            let isWord = NameStatistics.isWord(plain)
            if isWord, self.words.words.contains(plain) || KnownWords.areAll(of: plain) { return plain }
            if plain.first == "v", 2...3 ~= plain.count, plain.dropFirst().allSatisfy(\.isNumber) { return plain }
            return self.text(plain)
        }
    }

    /// Changes a part of an address, decoding its percent codes.
    private func encoded(_ text: String, _ change: (String) -> String) -> String {
        let plain = Self.decoded(text)
        let changed = change(plain)
        if changed == plain { return text }
        return plain == text ? changed : PercentEncoding.segment(changed)
    }

    private static func decoded(_ text: String) -> String { PercentText.decoded(text) }

    /// A host with its port: one of the manifest's unchanged, any other as a placeholder below `example`, which no one owns.
    func host(_ authority: String) -> String {
        let user = authority.lastIndex(of: "@").map { authority[...$0] } ?? ""
        let rest = authority[user.endIndex...]
        let port = rest.last == "]" ? "" : rest.lastIndex(of: ":").map { String(rest[$0...]) } ?? ""
        let name = String(rest.dropLast(port.count))
        let shown = user.isEmpty ? "" : hidden(String(user.dropLast())) + "@"
        return shown + hostName(name) + port
    }

    /// Whether an address is on a host that the manifest names.
    func isOfService(_ address: String) -> Bool {
        guard let url = try? HTTPURL(address) else { return false }
        return hosts.contains { pattern in
            switch pattern {
            case .exact(let host, _): host == url.host.lowercased()
            case .wildcard(let suffix, _): url.host.lowercased().hasSuffix(suffix)
            default: false
            }
        }
    }

    private func hostName(_ name: String) -> String {
        for pattern in hosts {
            switch pattern {
            case .exact(let host, _) where host == name.lowercased(): return name
            case .wildcard(let suffix, _) where name.lowercased().hasSuffix(suffix):
                return name.dropLast(suffix.count).split(separator: ".").map {
                    words(of: String($0), keepingKnown: true)
                }
                .joined(separator: ".") + name.suffix(suffix.count)
            default: continue
            }
        }
        if name == "localhost" || name.isEmpty { return name }
        let isAddress = name.allSatisfy { $0.isNumber || $0 == "." } || name.hasPrefix("[")
        // A documentation address (RFC 5737).
        if isAddress { return isLooking ? name : "192.0.2.1" }
        if isLooking { personal.insert(name) }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if labels.count == 1 { return words(of: name, keepingKnown: false) }
        return labels.dropLast().map { words(of: $0, keepingKnown: false) }.joined(separator: ".")
            + (isLooking ? "" : ".example")
    }

    /// An e-mail address, or an account of a federated service, which looks the same; `nil` for anything else.
    func mail(_ text: String) -> String? {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        let isAccount = parts.count == 3 && parts[0].isEmpty
        guard parts.count == 2 || isAccount, let user = parts.dropLast().last, let domain = parts.last, !user.isEmpty,
            domain.contains("."), !text.contains(where: { $0.isWhitespace || "/:?<>\"(),;".contains($0) }),
            domain.first != ".", domain.last != "."
        else { return nil }
        if isLooking { personal.insert(text) }
        return "\(isAccount ? "@" : "")\(words(of: String(user), keepingKnown: false))@\(hostName(String(domain)))"
    }
}
