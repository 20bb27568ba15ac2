import PlugManifest

/// The hosts of addresses, and the addresses as a plug writes them.
struct AirbyteHosts {
    private(set) var hosts: [String] = []
    private(set) var config: ConfigKeys
    /// Settings that were part of a host, and are the whole host here.
    private(set) var wholeHosts: [String] = []
    /// Settings that were an address, and are a host here.
    private(set) var addressKeys: [String] = []

    init(config: ConfigKeys) { self.config = config }

    /// Adds the host of an address.
    ///
    /// - Parameter addresses: Those that it is chosen from, if a condition on settings chooses.
    /// - Returns: The address, possibly changed: a setting that is a whole address in Airbyte is a host here.
    /// - Throws: `Unsayable` if the host is unknown until it runs.
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
        // Airbyte sends a path's leading slashes as one.
        let sent = path.hasPrefix("//") ? "/" + path.drop { $0 == "/" } : String(path)
        if let (key, rest) = try addAuthority(authority) { return "\(scheme){{ config.\(key) }}\(rest)\(sent)" }
        return scheme + authority + sent
    }

    /// The part before the first `/` outside of templates.
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

    /// Adds the part between scheme and path.
    ///
    /// - Returns: The key that will hold the whole host, and the rest, if no pattern can describe where a part of it leads.
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
        // Text that follows a template directly ends its label, unless the template returned whole labels.
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

    /// Adds an address that begins with a template.
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

    /// The hosts of the addresses in a program.
    private static func addresses(in program: String) -> [String] {
        program.split(separator: "\"").flatMap { text -> [String] in
            guard let scheme = text.firstRange(of: "://") else { return [] }
            return [authority(of: String(text[scheme.upperBound...]))]
        }
    }

    /// The setting that a template returns, with or without a slash at its end.
    private static func key(_ template: String) -> String? {
        let template = template.replacing(" | sub(\"[/]+$\"; \"\")", with: "")
        guard template.hasPrefix("{{ config."), template.hasSuffix(" }}") else { return nil }
        let name = template.dropFirst("{{ config.".count).dropLast(" }}".count)
        return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(name) : nil
    }

    /// Adds the hosts of all addresses that a request may go to.
    mutating func add(addresses: [String]) throws(Unsayable) {
        for address in addresses {
            // A setting that stays a whole address leads to the host of its default.
            if let close = address.firstRange(of: "}}"), let key = Self.key(String(address[..<close.upperBound])),
                case .text(let preset)? = config.keys.first(where: { $0.name == key })?.preset
            {
                add(address: preset)
            }
            // Without a scheme a request fails, in Airbyte and here.
            guard let scheme = ["https://", "http://"].first(where: { address.hasPrefix($0) }) else { continue }
            let authority = Self.authority(of: String(address.dropFirst(scheme.count)))
            guard try addAuthority(authority) == nil else {
                throw Unsayable("the host depends on settings in a way that 'hosts' cannot say: \(authority)")
            }
        }
    }

    /// Adds a full address.
    mutating func add(address: String) {
        guard let scheme = address.firstRange(of: "://") else { return }
        add(host: Self.authority(of: String(address[scheme.upperBound...])))
    }

    /// Adds the hosts of all addresses that a text can begin with, if that is a setting with choices.
    mutating func add(choicesOf text: String) {
        guard text.hasPrefix("{{"), let close = text.firstRange(of: "}}"),
            let key = Self.key(String(text[..<close.upperBound])),
            let field = config.keys.first(where: { $0.name == key })
        else { return }
        for case .text(let choice) in field.choices { add(address: choice) }
    }

    private mutating func add(host: String) {
        let host = host.contains("{{") ? host : host.lowercased()
        // A choice that is not a valid host is ignored.
        guard host.contains("{{") || HostPattern.parse(host) != nil else { return }
        if !hosts.contains(host) { hosts.append(host) }
    }
}
