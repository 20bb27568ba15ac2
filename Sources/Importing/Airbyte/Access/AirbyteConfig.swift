import PlugManifest

/// The specification of settings as keys of `config`.
struct AirbyteConfig {
    private(set) var keys = ConfigKeys()
    private(set) var findings: [ImportFinding] = []

    /// - Parameter specification: `connection_specification`.
    init(_ specification: Component?) {
        guard let specification else { return }
        do throws(Unsayable) {
            try add(specification, beneath: [], required: true, alternative: false)
        } catch {
            findings.append(
                ImportFinding(line: error.line ?? specification.line, reason: error.reason, leavesOut: false)
            )
        }
    }

    private mutating func add(_ schema: Component, beneath path: [String], required: Bool, alternative: Bool)
        throws(Unsayable)
    {
        guard path.count < 6 else { throw Unsayable("the settings are nested too deep", line: schema.line) }
        var demanded: Set<String> = []
        for name in try schema.member("required")?.elements ?? [] { name.text.map { _ = demanded.insert($0) } }
        for (name, property) in try schema.member("properties")?.members ?? [] {
            let isRequired = required && !alternative && demanded.contains(name)
            try add(property, name, beneath: path, required: isRequired, alternative: alternative)
        }
        for key in ["oneOf", "anyOf", "allOf"] {
            for choice in try schema.own(key)?.elements ?? [] {
                try add(choice, beneath: path, required: required, alternative: key != "allOf")
            }
        }
    }

    private mutating func add(
        _ property: Component,
        _ name: String,
        beneath path: [String],
        required: Bool,
        alternative: Bool
    ) throws(Unsayable) {
        let path = path + [name]
        let type = Self.type(property)
        if type == "object" || property.node["properties"] != nil || property.node["oneOf"] != nil {
            guard property.node["properties"] != nil || property.node["oneOf"] != nil || property.node["anyOf"] != nil
            else {
                return
            }
            return try add(property, beneath: path, required: required, alternative: alternative)
        }
        var key = ConfigKeys.Key(path: path, name: keys.unusedName(for: path))
        key.type = Self.kind(property, type)
        if key.type == "list", let items = try property.own("items") { key.isNested = Self.isNested(items) }
        key.isSecret = (try property.own("airbyte_secret"))?.isTrue ?? false
        key.isRequired = required
        key.title = try property.own("title")?.text
        if key.title == nil { key.title = try property.own("description")?.text }
        if let constant = try property.own("const")?.text { key.choices = [.text(constant)] }
        for choice in try property.own("enum")?.elements ?? [] where !choice.isNull {
            key.choices.append(Self.written(choice, as: key.type))
        }
        if key.type == "list", let items = try property.own("items") {
            for choice in try items.own("enum")?.elements ?? [] { choice.text.map { key.choices.append(.text($0)) } }
        }
        if !key.isSecret, let preset = try property.own("default") { key.preset = try Self.preset(preset, key) }
        keys.add(key)
    }

    private static func type(_ property: Component) -> String? {
        if let text = property.node["type"]?.scalar?.text { return text }
        return property.node["type"]?.sequence?.compactMap { $0.scalar?.text }.first { $0 != "null" }
    }

    /// Whether a list's elements are objects or lists themselves.
    private static func isNested(_ items: Component) -> Bool {
        ["object", "array"].contains(type(items)) || items.node["properties"] != nil || items.node["oneOf"] != nil
    }

    private static func kind(_ property: Component, _ type: String?) -> String {
        switch type {
        case "integer": "integer"
        case "number": "number"
        case "boolean": "boolean"
        case "array": "list"
        // A date may be used for more than a day, so only an exact pattern of a day is one.
        default: property.node["format"]?.scalar?.text == "date" ? "date" : "string"
        }
    }

    private static func preset(_ preset: Component, _ key: ConfigKeys.Key) throws(Unsayable) -> PlugYAML? {
        if key.type == "list" {
            guard let elements = try preset.elements else { return nil }
            return .list(elements.compactMap { $0.text.map(PlugYAML.text) })
        }
        guard let text = preset.text else { return nil }
        switch key.type {
        case "integer" where Int(text) == nil, "number" where Double(text) == nil: return nil
        case "boolean" where !preset.isTrue && !preset.isFalse: return nil
        case "date" where text.count != 10: return nil
        default: break
        }
        let written = written(preset, as: key.type)
        // A default that is not in 'enum' would be a value that the person could not give.
        return key.choices.isEmpty || key.choices.contains(written) ? written : nil
    }

    private static func written(_ value: Component, as type: String) -> PlugYAML {
        let text = value.text ?? ""
        switch type {
        case "integer", "number": return .plain(text)
        case "boolean": return .plain(text.lowercased())
        default: return .text(text)
        }
    }
}

extension ConfigKeys {
    /// Adds a key; one with the same path in another alternative is the same, with more choices.
    mutating func add(_ key: Key) {
        guard let at = keys.firstIndex(where: { $0.path == key.path }) else { return keys.append(key) }
        keys[at].isSecret = keys[at].isSecret || key.isSecret
        for choice in key.choices where !keys[at].choices.contains(choice) { keys[at].choices.append(choice) }
        if keys[at].isSecret { keys[at].preset = nil }
    }

    /// A name for a path that no other key has: its steps, joined with `_`.
    func unusedName(for path: [String]) -> String {
        if let known = key(at: path) { return known.name }
        let words = path.map { step in
            String(step.map { $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "_" ? $0 : "_" })
        }
        let whole = words.joined(separator: "_")
        var name = String(whole.first?.isNumber == true ? "_\(whole)" : whole)
        if name.count > 60 { name = String(name.suffix(60)) }
        while keys.contains(where: { $0.name == name }) { name += "_" }
        return name
    }

    /// Turns a key into that of a host.
    ///
    /// - Parameters:
    ///   - prefix: The text before the setting, if it was a part of the host.
    ///   - suffix: The text after it.
    mutating func setHost(_ name: String, prefix: String = "", suffix: String = "") {
        guard let at = keys.firstIndex(where: { $0.name == name }), keys[at].type != "host" else { return }
        keys[at].type = "host"
        keys[at].isSecret = false
        if !prefix.isEmpty || !suffix.isEmpty {
            keys[at].title = "\(keys[at].title ?? name): the whole host, \(prefix)…\(suffix)"
        }
        guard case .text(let preset)? = keys[at].preset else { return }
        let bare = preset.split(separator: "://").last.map(String.init) ?? preset
        let host = prefix + String(bare.prefix { $0 != "/" }) + suffix
        keys[at].preset = HostPattern.parse(host) == nil ? nil : .text(host)
    }

    /// The manifest's mapping for the keys that are used.
    ///
    /// - Parameter isNeeded: Whether requests cannot be made without a key, whatever the manifest requires.
    func written(where isUsed: (Key) -> Bool, isNeeded: (Key) -> Bool) -> PlugYAML? {
        PlugYAML.mapping(
            keys.filter(isUsed).map { key in
                let entry = PlugYAML.members(
                    ("type", .text(key.type)),
                    ("enum", key.choices.isEmpty ? nil : .list(key.choices)),
                    ("default", key.preset),
                    ("optional", key.isRequired || key.preset != nil || isNeeded(key) ? nil : .plain("true")),
                    ("secret", key.isSecret ? .plain("true") : nil),
                    ("title", key.title.map { .text(Self.line($0)) })
                )
                return PlugYAML.Entry(key: key.name, value: entry)
            }
        ).unlessEmpty
    }

    private static func line(_ text: String) -> String {
        let words = text.split { $0.isNewline || $0 == " " }.joined(separator: " ")
        return words.count > 120 ? String(words.prefix(117)) + "…" : words
    }
}
