package import LosslessJSON
internal import PlugCore

/// The text of a plug that a program reads, made from the program's catalogue.
package struct SingerPlug {
    private let id: String
    private let command: [String]
    private let hosts: [String]
    private let config: AskedConfig
    private let catalogue: JSONValue
    private let takesProperties: Bool
    private let wanted: Set<String>

    /// - Parameters:
    ///   - id: The plug's id.
    ///   - command: The program and its arguments.
    ///   - hosts: Where the program connects to; empty if not given.
    ///   - config: A person's configuration of the program. None of its values is written: the plug asks for them.
    ///   - catalogue: The program's output for `--discover`.
    ///   - earlier: A catalogue in which an author has selected fields; `nil` if there is none.
    ///   - takesProperties: Whether it takes the catalogue with `--properties`.
    ///   - wanted: The program's names of the streams to write; empty for all.
    package init(
        id: String,
        command: [String],
        hosts: [String],
        config: JSONObject,
        catalogue: JSONValue,
        earlier: JSONValue? = nil,
        takesProperties: Bool = false,
        wanted: Set<String> = []
    ) {
        (self.id, self.command, self.hosts) = (id, command, hosts)
        self.catalogue = earlier.map { CatalogueMarks.carried(from: $0, to: catalogue) } ?? catalogue
        (self.config, self.takesProperties, self.wanted) = (AskedConfig(config), takesProperties, wanted)
    }

    /// The answers to the plug's questions that reproduce the configuration.
    package var answers: JSONObject { config.answers }

    /// The text of `catalog.json`.
    package var catalogueText: String { catalogue.compactText + "\n" }

    /// The program's names of its streams.
    package var streamNames: [String] { (catalogue["streams"]?.elements ?? []).compactMap(Self.name) }

    /// The text of `plug.yaml`.
    package var manifest: String {
        var lines = [
            "# Made by 'plughost singer discover' from what \(YAMLWriting.text(command[0])) says about itself.",
            "plug: \(id)",
            "api: 1",
            "version: 0.1.0",
        ]
        if hosts.isEmpty {
            lines += [
                "# Fill in where the program connects to: host, host:port or *.domain. It reaches nothing else.",
                "hosts: [api.example.org]",
            ]
        } else {
            lines.append("hosts: [\(hosts.map(YAMLWriting.text).joined(separator: ", "))]")
        }
        if !config.keys.isEmpty { lines.append("config:") }
        lines += config.keys.map { "  \($0.name): {type: \($0.type)\($0.isSecret ? ", secret: true" : "")}" }
        lines += ["exec:", "  command: [\(command.map(YAMLWriting.text).joined(separator: ", "))]"]
        if !config.template.isEmpty { lines.append("  config: \(config.template)") }
        lines.append("  catalog: catalog.json")
        if takesProperties { lines.append("  properties: true") }
        lines.append("streams:")
        return (lines + streams(leavingOut: [])).joined(separator: "\n") + "\n"
    }

    /// The lines of streams, except for existing ones.
    ///
    /// - Parameters:
    ///   - known: The program's names of the existing streams.
    ///   - names: The names that are taken.
    ///   - endpoints: The endpoints that are taken.
    package func streams(
        leavingOut known: Set<String>,
        names: Set<String> = [],
        endpoints: Set<String> = []
    ) -> [String] {
        var (taken, endpoints) = (names, endpoints)
        let entries = (catalogue["streams"]?.elements ?? []).filter { Self.name($0) != nil }
        let counts = Dictionary(grouping: entries) { Self.name($0) ?? "" }.mapValues(\.count)
        var written = known
        return entries.flatMap { stream -> [String] in
            // Messages carry only this name, so that entries with the same name are one stream.
            guard let own = Self.name(stream), wanted.isEmpty || wanted.contains(own), written.insert(own).inserted
            else {
                return []
            }
            let plain = String(
                own.map { $0.isASCII && ($0.isLetter || $0.isNumber || "_-".contains($0)) ? $0 : "_" }.prefix(58)
            )
            let name = Self.free(plain.contains { $0.isLetter || $0.isNumber } ? plain : "stream", taken, "_")
            taken.insert(name)
            var lines = ["  \(YAMLWriting.text(name)):"]
            if name != own { lines.append("    tap_stream: \(YAMLWriting.text(own))") }
            // Streams that share an endpoint are treated as one: the second one's records would count as known.
            let endpoint = Self.free(Self.endpoint(name), endpoints, "-")
            endpoints.insert(endpoint)
            lines.append("    endpoint: \(YAMLWriting.text(endpoint))")
            if let count = counts[own], count > 1 {
                let reason = "which is all that messages say of a stream"
                lines.append("    # \(count) entries of the catalogue have this name, \(reason).")
            }
            let key = Self.key(of: stream)
            if key.isEmpty {
                lines.append("    # The catalogue names no key: fill in the members that identify a record.")
                lines.append("    # key: [.id]")
            } else {
                lines.append("    key: [\(key.map { YAMLWriting.program(Self.path($0)) }.joined(separator: ", "))]")
            }
            if key.contains("_id") || stream["schema"]?["properties"]?["_id"] != nil {
                lines.append("    # Records of a PDA have an '_id' of their own.")
                lines.append("    map: '.source_id = ._id | del(._id)'")
            }
            if let replication = Self.metadata(of: stream)?["replication-key"]?.stringText
                ?? stream["replication_key"]?.stringText
            {
                lines.append("    version: \(YAMLWriting.program(Self.path(replication)))")
            } else {
                lines.append("    version: content")
            }
            return lines
        }
    }

    /// The name itself, or with the first number that makes it one that is not taken.
    private static func free(_ name: String, _ taken: Set<String>, _ sign: String) -> String {
        if !taken.contains(name) { return name }
        // At most as many numbers are taken as there are names.
        return (2...).lazy.map { "\(name)\(sign)\($0)" }.first { !taken.contains($0) } ?? name
    }

    private static func name(_ stream: JSONValue) -> String? {
        (stream["stream"] ?? stream["tap_stream_id"])?.stringText
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
}
