import PlugManifest

/// The hosts that addresses lead to, and the addresses as a plug writes them.
struct AirbyteHosts {
    private(set) var hosts: [String] = []
    private(set) var config: ConfigKeys
    /// Settings that were a part of a host, and are the whole of it here.
    private(set) var wholeHosts: [String] = []
    /// Settings that were an address, and are a host here.
    private(set) var addressKeys: [String] = []

    init(config: ConfigKeys) { self.config = config }

    /// Takes the host of an address.
    ///
    /// - Parameter addresses: Those that it is chosen from, where a condition over settings chooses.
    /// - Returns: The address, which may have become another: a setting that is a whole address there is a host here.
    /// - Throws: `Unsayable` where nobody knows the host before it runs.
    mutating func add(_ base: String, among addresses: [String] = []) throws(Unsayable) -> String {
        if !addresses.isEmpty {
            try add(addresses: addresses)
            return base
        }
        if base.hasPrefix("{{") { return try addTemplate(base) }
        guard let scheme = ["https://", "http://"].first(where: { base.hasPrefix($0) }) else {
            throw Unsayable("the address '\(base)' is neither http nor https")
        }
        let rest = String(base.dropFirst(scheme.count))
        let authority = Self.authority(of: rest)
        let path = rest.dropFirst(authority.count)
        // The slashes that a path begins with are sent as one there.
        let sent = path.hasPrefix("//") ? "/" + path.drop { $0 == "/" } : String(path)
        if let (key, rest) = try addAuthority(authority) { return "\(scheme){{ config.\(key) }}\(rest)\(sent)" }
        return scheme + authority + sent
    }

    /// What stands before the first `/` outside of templates.
    private static func authority(of rest: String) -> String {
        var depth = 0
        var authority = ""
        for character in rest {
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            if depth == 0, character == "/" || character == "?" { break }
            authority.append(character)
        }
        return authority
    }

    /// Takes what stands between scheme and path.
    ///
    /// - Returns: The key that is to hold the whole host, and what follows it, where no pattern can say what a part of it leads to.
    private mutating func addAuthority(_ authority: String) throws(Unsayable) -> (key: String, rest: String)? {
        guard authority.contains("{{") else {
            add(host: authority)
            return nil
        }
        let key = Self.key(authority)
        if let key, let field = config.keys.first(where: { $0.name == key }) {
            let choices = field.choices.compactMap { if case .text(let text) = $0 { text } else { nil } }
            if !choices.isEmpty {
                choices.forEach { add(host: $0) }
                return nil
            }
            if field.isSecret { throw Unsayable("the host is a secret setting, '\(key)'") }
            config.setHost(key)
            add(host: authority)
            return nil
        }
        guard let first = authority.firstRange(of: "{{"), let last = authority.ranges(of: "}}").last else { return nil }
        let suffix = String(authority[last.upperBound...])
        // What a template ends in the middle of a label is the label's end, unless the template gave whole labels.
        let domain = String(suffix.drop { $0 != "." }.dropFirst())
        if domain.contains(".") {
            add(host: "*.\(domain)")
            return nil
        }
        if !suffix.hasPrefix("."), suffix.contains(".") {
            add(host: suffix)
            add(host: "*.\(suffix)")
            return nil
        }
        // No pattern covers this: the person is asked for the whole host.
        let template = String(authority[first.lowerBound..<last.upperBound])
        guard let key = Self.key(template), let field = config.keys.first(where: { $0.name == key }), !field.isSecret
        else {
            throw Unsayable("the host depends on settings in a way that 'hosts' cannot say: \(authority)")
        }
        let prefix = String(authority[..<first.lowerBound])
        let choices = field.choices.compactMap { if case .text(let text) = $0 { text } else { nil } }
        if !choices.isEmpty {
            choices.forEach { add(host: prefix + $0 + suffix) }
            return nil
        }
        wholeHosts.append(key)
        config.setHost(key, prefix: prefix, suffix: suffix)
        add(host: "{{ config.\(key) }}")
        return (key, "")
    }

    /// An address that one template begins.
    private mutating func addTemplate(_ base: String) throws(Unsayable) -> String {
        guard let close = base.firstRange(of: "}}") else { throw Unsayable("'{{' is not closed") }
        let head = String(base[..<close.upperBound])
        if let key = Self.key(head), let field = config.keys.first(where: { $0.name == key }) {
            let choices = field.choices.compactMap { if case .text(let text) = $0 { text } else { nil } }
            let addresses = choices.filter { $0.contains("://") }
            if !addresses.isEmpty {
                addresses.forEach { add(address: $0) }
                return base
            }
            if field.isSecret { throw Unsayable("the address is a secret setting, '\(key)'") }
            // The person is asked for the host alone.
            if !addressKeys.contains(key) { addressKeys.append(key) }
            config.setHost(key)
            add(host: "{{ config.\(key) }}")
            return "https://{{ config.\(key) }}" + String(base[close.upperBound...])
        }
        let found = Self.addresses(in: head)
        guard !found.isEmpty, !found.contains(where: { $0.isEmpty }) else {
            throw Unsayable("the host depends on settings in a way that 'hosts' cannot say")
        }
        found.forEach { add(host: $0) }
        return base
    }

    /// The hosts of the addresses that stand in a program.
    private static func addresses(in program: String) -> [String] {
        program.split(separator: "\"").flatMap { text -> [String] in
            guard let scheme = text.firstRange(of: "://") else { return [] }
            return [authority(of: String(text[scheme.upperBound...]))]
        }
    }

    /// The setting that a template gives, or gives without a slash at its end.
    private static func key(_ template: String) -> String? {
        let template = template.replacing(" | sub(\"[/]+$\"; \"\")", with: "")
        guard template.hasPrefix("{{ config."), template.hasSuffix(" }}") else { return nil }
        let name = template.dropFirst("{{ config.".count).dropLast(" }}".count)
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(name) : nil
    }

    /// Takes the hosts of all addresses that a request may go to.
    mutating func add(addresses: [String]) throws(Unsayable) {
        for address in addresses {
            // Without a scheme a request fails, there and here.
            guard let scheme = ["https://", "http://"].first(where: { address.hasPrefix($0) }) else { continue }
            let authority = Self.authority(of: String(address.dropFirst(scheme.count)))
            guard try addAuthority(authority) == nil else {
                throw Unsayable("the host depends on settings in a way that 'hosts' cannot say: \(authority)")
            }
        }
    }

    /// A full address.
    mutating func add(address: String) {
        guard let scheme = address.firstRange(of: "://") else { return }
        add(host: Self.authority(of: String(address[scheme.upperBound...])))
    }

    /// The hosts of all addresses that a text can begin with, where that is a setting with choices.
    mutating func add(choicesOf text: String) {
        guard text.hasPrefix("{{"), let close = text.firstRange(of: "}}"),
            let key = Self.key(String(text[..<close.upperBound])),
            let field = config.keys.first(where: { $0.name == key })
        else { return }
        for case .text(let choice) in field.choices { add(address: choice) }
    }

    private mutating func add(host: String) {
        let host = host.contains("{{") ? host : host.lowercased()
        // A choice that makes no host leads nowhere.
        guard host.contains("{{") || HostPattern.parse(host) != nil else { return }
        if !hosts.contains(host) { hosts.append(host) }
    }
}
