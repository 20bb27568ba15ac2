package import PlugCore

/// Imports a manifest in Airbyte's declarative language as a plug.
package struct AirbyteImport {
    /// A manifest with more streams is refused.
    private static let streamLimit = 1_000
    private static let depthLimit = 8

    let root: Component
    let id: String
    var config: ConfigKeys
    var findings: [ImportFinding] = []
    /// The streams of the manifest, in order, followed by helpers.
    var drafts: [StreamDraft] = []
    /// The names in the plug of the manifest's own streams.
    var own: [String] = []
    /// The hosts, base and authorisation that the streams share.
    var hosts: [String] = []
    var base = ""
    var auth = AuthDraft.none
    private var names: [String: PartitionNames] = [:]
    private var depth = 0

    /// Imports a manifest.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - id: The plug's id.
    /// - Throws: `PlugError` `import-component` for an invalid manifest.
    package static func plug(of manifest: ForeignManifest, id: String) throws(PlugError) -> ImportedPlug {
        var importer = AirbyteImport(manifest, id)
        do throws(Unsayable) { try importer.read() } catch {
            throw PlugError(
                .importComponent,
                "line \(error.line ?? manifest.line): \(error.reason)",
                advice: "correct the manifest, and import it again"
            )
        }
        return importer.finish()
    }

    private init(_ manifest: ForeignManifest, _ id: String) {
        root = Component(root: manifest.root)
        self.id = id
        config = ConfigKeys()
    }

    private mutating func read() throws(Unsayable) {
        var specification = try root.member("spec")?.own("connection_specification")
        if specification == nil { specification = try root.member("spec")?.own("connectionSpecification") }
        let reader = AirbyteConfig(specification)
        config = specification == nil ? AirbyteConfig.used(in: root.node) : reader.keys
        findings += reader.findings
        if let rules = try root.member("spec")?.member("config_normalization_rules") {
            for key in ["transformations"] where try rules.member(key) != nil {
                throw Unsayable(
                    "settings that are computed ('config_normalization_rules') have no counterpart",
                    line: rules.line
                )
            }
        }
        let streams = try root.list("streams")
        guard streams.count <= Self.streamLimit else {
            throw Unsayable("the manifest has more than \(Self.streamLimit) streams")
        }
        // Names first, so that parents find their streams.
        var known: [String] = []
        for (at, stream) in streams.enumerated() {
            let source = Self.name(of: stream) ?? "stream_\(at + 1)"
            let name = Self.unused(Self.slug(source), known)
            known.append(name)
        }
        own = known
        for (at, stream) in streams.enumerated() {
            let source = Self.name(of: stream) ?? "stream_\(at + 1)"
            drafts.append(build(stream, source: source, name: known[at]))
        }
        if let dynamic = try root.member("dynamic_streams"), let elements = try dynamic.elements {
            for element in elements {
                findings.append(
                    ImportFinding(
                        line: element.line,
                        reason: "streams that are made while it runs ('dynamic_streams') have no counterpart",
                        stream: (try element.member("name")?.text).map { "\($0) (dynamic)" } ?? "(dynamic)",
                        leavesOut: true
                    )
                )
            }
        }
        // Streams of the manifest come before those that are only read for others.
        drafts = drafts.filter { known.contains($0.name) } + drafts.filter { !known.contains($0.name) }
        joinParents()
    }

    /// The name of a stream, if it is constant.
    static func name(of stream: Component) -> String? {
        if let text = (try? stream.member("name"))?.text { return text }
        return ((try? stream.member("full_refresh_stream")).flatMap { $0 }).flatMap { name(of: $0) }
    }

    private mutating func build(_ stream: Component, source: String, name: String) -> StreamDraft {
        depth += 1
        defer { depth -= 1 }
        var helpers: [StreamDraft] = []
        var helperNames: [String: PartitionNames] = [:]
        let taken = own + drafts.map(\.name)
        let level = depth
        let known = names
        var copy = self
        var reader = AirbyteStream(
            config: config,
            find: { parent throws(Unsayable) in
                guard level < Self.depthLimit else {
                    throw Unsayable("streams are read for streams more than \(Self.depthLimit) deep", line: parent.line)
                }
                let source = Self.name(of: parent) ?? "\(name)_parent"
                let wish = Self.unused("\(Self.slug(source))-parent", taken + helpers.map(\.name))
                let draft = copy.build(parent, source: source, name: wish)
                helpers += copy.drafts.filter { inner in
                    !taken.contains(inner.name) && !helpers.contains { $0.name == inner.name }
                }
                helpers.append(draft)
                helperNames.merge(copy.names) { mine, _ in mine }
                if let finding = draft.findings.first(where: \.leavesOut) {
                    // Of parents of parents, the last one's reason counts.
                    let isParents = finding.reason.hasPrefix("its parent '")
                    let reason = isParents ? finding.reason : "its parent '\(source)' cannot be read: \(finding.reason)"
                    throw Unsayable(reason, line: finding.line)
                }
                return draft
            },
            names: { helperNames[$0] ?? known[$0] ?? PartitionNames() }
        )
        let draft = reader.read(stream, source: source, name: name)
        names.merge(helperNames) { mine, _ in mine }
        names[name] = reader.names
        // Parents of a stream that is left out are not needed.
        if !draft.isLeftOut {
            for helper in helpers where !drafts.contains(where: { $0.name == helper.name }) { drafts.append(helper) }
        }
        return draft
    }

    // MARK: - Names

    /// A text turned into a stream name.
    static func slug(_ text: String) -> String {
        var slug = ""
        for character in text.lowercased() {
            if character.isASCII, character.isLetter || character.isNumber {
                slug.append(character)
            } else if slug.last != "-", !slug.isEmpty {
                slug.append("-")
            }
        }
        while slug.last == "-" { slug.removeLast() }
        return slug.isEmpty ? "stream" : slug
    }

    static func unused(_ wish: String, _ taken: [String]) -> String {
        var (name, number) = (wish, 1)
        while taken.contains(name) {
            number += 1
            name = "\(wish)-\(number)"
        }
        return name
    }
}
