package import LosslessJSON
internal import PlugCore

/// The text of a plug that a program reads, made of the program's catalogue.
package struct SingerPlug {
    private let id: String
    private let command: [String]
    private let hosts: [String]
    private let config: JSONObject
    private let catalogue: JSONValue
    private let takesProperties: Bool
    private let wanted: Set<String>

    /// - Parameters:
    ///   - id: The plug's id.
    ///   - command: The program and its arguments.
    ///   - hosts: Where the program connects to; empty where nobody has said it.
    ///   - config: The program's configuration, as somebody has it: its values are not written.
    ///   - catalogue: What the program gave for `--discover`.
    ///   - takesProperties: Whether it takes the catalogue with `--properties`.
    ///   - wanted: The program's names of the streams that are written; empty for all.
    package init(
        id: String,
        command: [String],
        hosts: [String],
        config: JSONObject,
        catalogue: JSONValue,
        takesProperties: Bool = false,
        wanted: Set<String> = []
    ) {
        (self.id, self.command, self.hosts, self.config, self.catalogue) = (id, command, hosts, config, catalogue)
        (self.takesProperties, self.wanted) = (takesProperties, wanted)
    }

    /// `catalog.json`.
    package var catalogueText: String { catalogue.compactText + "\n" }

    /// The program's names of its streams.
    package var streamNames: [String] { (catalogue["streams"]?.elements ?? []).compactMap(Self.name) }

    /// `plug.yaml`.
    package var manifest: String {
        var lines = [
            "# Made by 'plughost singer discover' of what \(Self.quoted(command[0])) says of itself.", "plug: \(id)",
            "api: 1",
            "version: 0.1.0",
        ]
        if hosts.isEmpty {
            lines += [
                "# Fill in where the program connects to: host, host:port or *.domain. It reaches nothing else.",
                "hosts: [api.example.org]",
            ]
        } else {
            lines.append("hosts: [\(hosts.map(Self.quoted).joined(separator: ", "))]")
        }
        lines += configLines
        lines += ["exec:", "  command: [\(command.map(Self.quoted).joined(separator: ", "))]"]
        let members = config.members.map { "\(Self.quoted($0.key.text)): \(Self.template($0.key.text, $0.value))" }
        if !members.isEmpty { lines.append("  config: {\(members.joined(separator: ", "))}") }
        lines.append("  catalog: catalog.json")
        if takesProperties { lines.append("  properties: true") }
        lines.append("streams:")
        return (lines + streams(leavingOut: [])).joined(separator: "\n") + "\n"
    }

    /// The lines of streams, but for some that are there already.
    ///
    /// - Parameters:
    ///   - known: The program's names of those.
    ///   - names: The names that are taken.
    ///   - endpoints: The same of endpoints.
    package func streams(
        leavingOut known: Set<String>,
        names: Set<String> = [],
        endpoints: Set<String> = []
    ) -> [String] {
        var (taken, endpoints) = (names, endpoints)
        return (catalogue["streams"]?.elements ?? []).flatMap { stream -> [String] in
            guard let own = Self.name(stream), !known.contains(own), wanted.isEmpty || wanted.contains(own) else {
                return []
            }
            var name = String(
                own.map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) ? $0 : "_" }.prefix(64)
            )
            if name.isEmpty || !taken.insert(name).inserted { name = "\(name.prefix(58))_\(taken.count)" }
            var lines = ["  \(Self.quoted(name)):"]
            if name != own { lines.append("    tap_stream: \(Self.quoted(own))") }
            // Streams that share an endpoint are taken for one: the second one's records would count as known.
            let usual = Self.endpoint(name)
            let numbered = (2...).lazy.map { "\(usual)-\($0)" }
            let endpoint = endpoints.contains(usual) ? numbered.first { !endpoints.contains($0) } ?? usual : usual
            endpoints.insert(endpoint)
            lines.append("    endpoint: \(endpoint)")
            let key = Self.key(of: stream)
            if key.isEmpty {
                lines.append("    # The catalogue names no key: fill in the members that identify a record.")
                lines.append("    # key: [.id]")
            } else {
                lines.append("    key: [\(key.map { Self.quoted(Self.path($0)) }.joined(separator: ", "))]")
            }
            if let replication = Self.metadata(of: stream)?["replication-key"]?.stringText
                ?? stream["replication_key"]?.stringText
            {
                lines.append("    version: \(Self.quoted(Self.path(replication)))")
            } else {
                lines.append("    version: content")
            }
            return lines
        }
    }

    private static func name(_ stream: JSONValue) -> String? {
        (stream["stream"] ?? stream["tap_stream_id"])?.stringText
    }

    private var configLines: [String] {
        let asked = config.members.filter { Self.isAsked($0.value) }
        guard !asked.isEmpty else { return [] }
        return ["config:"]
            + asked.map { member in
                let name = Self.name(member.key.text)
                let type =
                    switch member.value {
                    case .bool: "boolean"
                    case .number(let number): number.int64 == nil ? "number" : "integer"
                    default: "string"
                    }
                return "  \(name): {type: \(type)\(Self.isSecret(name) && type == "string" ? ", secret: true" : "")}"
            }
    }

    private static func isAsked(_ value: JSONValue) -> Bool {
        switch value {
        case .string, .number, .bool: true
        default: false
        }
    }

    /// A person's answer, or, for what nobody can be asked, the value itself.
    private static func template(_ key: String, _ value: JSONValue) -> String {
        isAsked(value) ? "\"{{ config.\(name(key)) }}\"" : value.compactText
    }

    private static func name(_ key: String) -> String {
        String(key.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") ? $0 : "_" })
    }

    private static func isSecret(_ name: String) -> Bool {
        ["token", "secret", "password", "passphrase", "credential", "key"].contains { name.lowercased().contains($0) }
    }

    private static func metadata(of stream: JSONValue) -> JSONValue? {
        stream["metadata"]?.elements?.first { $0["breadcrumb"]?.elements?.isEmpty == true }?["metadata"]
    }

    private static func key(of stream: JSONValue) -> [String] {
        let named = stream["key_properties"] ?? metadata(of: stream)?["table-key-properties"]
        return named?.elements?.compactMap(\.stringText) ?? []
    }

    /// A member as a jq path.
    private static func path(_ member: String) -> String {
        let isPlain =
            member.first?.isNumber == false
            && member.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        if isPlain { return "." + member }
        var text = Array(".[".utf8)
        JSONText.appendQuoted(member, to: &text)
        return String(decoding: text, as: UTF8.self) + "]"
    }

    private static func endpoint(_ name: String) -> String {
        let words = name.lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
        return words.contains { $0 != "-" } ? words : "records"
    }

    /// A text for YAML: as it is where that is a plain word, else as JSON writes it.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.drop { "./".contains($0) }.first?.isLetter == true
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-./".contains($0)) }
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n", ".inf", ".nan"].contains(
                text.lowercased()
            )
        if isPlain { return text }
        var quoted: [UInt8] = []
        JSONText.appendQuoted(text, to: &quoted)
        return String(decoding: quoted, as: UTF8.self)
    }
}
