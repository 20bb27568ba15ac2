import LosslessJSON
import PlugCore
import PlugModules

/// Builds the model from the tree and reports its errors. Used once, within one call.
final class ManifestBuilder {
    let findings: Findings
    let source: SourceText
    /// The manifest's path as the user named it, for a run's messages about its keys.
    let path: String
    /// The folder of the files that the manifest names; `nil` if it is not on disk.
    let folder: String?
    /// The fetchers in Swift that streams may name.
    let fetchers: FetcherRegistry
    /// Records which members the programs meet when they run; `nil` if that is not needed.
    private(set) var coverage: ManifestCoverage?
    /// The texts of the files that were read.
    var files: [String: String] = [:]
    /// The keys of `config`, for references.
    var configNames: [String] = []
    var secrets: Set<String> = []
    var hostFields: Set<String> = []
    /// The config keys that are files.
    var fileFields: Set<String> = []
    /// The only values of config keys that have an `enum`, as templates write them.
    var configChoices: [String: [String]] = [:]
    /// The vars read so far.
    var varNames: [String] = []
    /// Whether it was reported that relative paths need a base, which is true of all of them.
    var hasToldOfBase = false
    /// Whether a program reads the source, instead of requests.
    private(set) var hasProgram = false
    /// The names in `oauth2.keep`, for references.
    var grantNames: [String] = []

    init(
        _ findings: Findings,
        _ source: SourceText,
        path: String,
        folder: String? = nil,
        fetchers: FetcherRegistry = FetcherRegistry(),
        coverage: ManifestCoverage? = nil
    ) {
        self.fetchers = fetchers
        self.folder = folder
        self.coverage = coverage
        self.findings = findings
        self.source = source
        self.path = path
    }

    /// Reads what no test runs, so that coverage does not miss its programs.
    func untested<Result>(_ body: () -> Result) -> Result {
        let wanted = coverage
        coverage = nil
        defer { coverage = wanted }
        return body()
    }

    /// The roots that have a value before there is a stream.
    static let connectionRoots: Set<String> = ["config", "vars", "now"]

    /// The same, plus what was kept from the answer with the token: for what is rendered once there is one.
    var grantedRoots: Set<String> { grantNames.isEmpty ? Self.connectionRoots : Self.connectionRoots.union(["grant"]) }

    /// Reads the whole tree; `nil` if an error leaves a gap in the model.
    func manifest(_ root: YAMLNode, _ file: ManifestSource) -> Manifest? {
        let start = Diagnostic.Location(line: root.location.line, column: root.location.column)
        guard let keys = CheckedMapping(root, Tables.manifest, at: start, findings) else { return nil }
        let id = identifier(keys)
        let namespace = namespace(keys, id)
        let version = version(keys)
        released(keys)
        let status = serviceStatus(keys, plug: id)
        application(keys)
        let choosesWay = keys["auth"]?["any_of"] != nil
        let config = config(keys["config"], choosesWay: choosesWay)
        configChoices = Dictionary(
            config.map { ($0.name, $0.type == .boolean ? ["true", "false"] : $0.choices.map(Template.text)) },
            uniquingKeysWith: { first, _ in first }
        )
        let vars = vars(keys["vars"])
        let asks = (keys["streams"]?.mapping ?? []).contains { $0.value["request"] != nil || $0.value["swift"] != nil }
        let hosts = hosts(keys["hosts"], mayBeEmpty: !asks)
        hasProgram = keys.isWritten("exec")
        let program = program(keys)
        let hasBase = Self.meansBase(keys)
        let authorization = authorization(keys, plug: id, hasBase: hasBase)
        let http = http(keys["http"], hosts: hosts)
        let own = streams(keys, namespace: namespace, hosts: hosts, hasBase: hasBase)
        let streams = sharingMarks(own.map { resetting($0, http) })
        checkSharing(streams, keys["streams"])
        // A stream that has an error itself says nothing about what it might send.
        if streams.count == keys["streams"]?.mapping?.count { checkRefusals(keys["http"], streams) }
        checkLargestBody(keys["http"], http, streams, authorization)
        if let authorization { checkBodies(of: streams.filter { $0.authorization == nil }, authorization, keys) }
        let entries = keys["streams"]?.mapping ?? []
        let check = accountCheck(keys, streams: entries, hosts: hosts, hasBase: hasBase)
        if let authorization, case .request(let request)? = check?.target, authorization.goesIntoBody,
            !request.takesFields
        {
            reportBody(["check"], at: keys.location("check"))
        }
        let webhook = untested { self.webhook(keys, plug: id, check: check, config) }
        guard !findings.hasErrors, (program == nil) != hasProgram, let id, let version, let namespace,
            let authorization, let http
        else { return nil }
        var file = file
        file.files = files
        let manifest = Manifest(
            id: id,
            api: 1,
            version: version,
            namespace: namespace,
            released: keys.text("released"),
            status: status,
            hosts: hosts,
            application: keys["application"]?.jsonValue,
            config: config,
            vars: vars,
            authorization: authorization,
            check: check,
            webhook: webhook,
            http: http,
            program: program,
            streams: streams,
            source: file
        )
        checkDecoding(of: manifest, keys)
        return manifest
    }

    /// Whether there is an `http.base`, even if invalid or misspelt: an error in it is one mistake, not one for each path below
    /// it.
    private static func meansBase(_ keys: CheckedMapping) -> Bool {
        func isMeant(_ key: String, _ name: String, in table: KeyTable) -> Bool {
            key == name || table[key] == nil && Spelling.nearest(key, in: table.names) == name
        }
        let http = (keys.node.mapping ?? []).filter { isMeant($0.key, "http", in: Tables.manifest) }
        return http.contains { entry in
            // A value that is not a mapping has been reported.
            guard let members = entry.value.mapping else { return true }
            return members.contains { member in
                isMeant(member.key, "base", in: Tables.http)
                    || Tables.http[member.key] == nil
                        && ["base", "url"].contains { member.key.lowercased().contains($0) }
            }
        }
    }

    private func identifier(_ keys: CheckedMapping) -> String? {
        guard let node = keys["plug"], let text = node.scalar?.text else { return nil }
        if PlugName.isOne(text) { return text }
        let help = "use lower-case letters, digits and hyphens, at most 64, such as 'my-plug'"
        findings.error(.badID, "'\(MessageText.shortened(text))' is not an id", at: node.location, help: help)
        return nil
    }

    private func namespace(_ keys: CheckedMapping, _ id: String?) -> String? {
        guard let node = keys["namespace"], let text = node.scalar?.text else { return id }
        if DataPath.isNamespace(text) { return text }
        let help = "use lower-case letters, digits and hyphens"
        findings.error(
            .badNamespace,
            "'\(MessageText.shortened(text))' is not a namespace",
            at: node.location,
            help: help
        )
        return nil
    }

    private func version(_ keys: CheckedMapping) -> String? {
        guard let node = keys["version"], let text = node.scalar?.text else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let isVersion =
            parts.count == 3
            && parts.allSatisfy { part in
                !part.isEmpty && part.count <= 9 && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && (part == "0" || part.first != "0")
            }
        if isVersion { return text }
        let help = "write three numbers, such as 1.0.0"
        findings.error(
            .badVersion,
            "'\(MessageText.shortened(text))' is not a version",
            at: node.location,
            help: help
        )
        return nil
    }

    /// Who can use the service; `nil` if nothing is said, or any of it is invalid.
    private func serviceStatus(_ keys: CheckedMapping, plug: String?) -> ServiceStatus? {
        guard let entry = keys.entry("status"),
            let keys = CheckedMapping(entry.value, Tables.status, at: entry.keyLocation, findings)
        else { return nil }
        let successor = keys.text("successor")
        if let node = keys["successor"], let successor, !PlugName.isOne(successor) || successor == plug {
            let help = "write the id of another plug, such as 'google-health'"
            let message = "'\(MessageText.shortened(successor))' is not the id of another plug"
            findings.error(.badID, message, at: node.location, help: help)
        }
        guard let state = keys.text("state").flatMap(ServiceStatus.State.init(rawValue:)),
            let text = keys.text("text")
        else { return nil }
        return ServiceStatus(state: state, text: text, successor: successor)
    }

    private func released(_ keys: CheckedMapping) {
        guard let node = keys["released"], let text = node.scalar?.text, !Self.isDate(text) else { return }
        let help = "write it as \"2026-11-21\""
        findings.error(.badDate, "'\(MessageText.shortened(text))' is not a date", at: node.location, help: help)
    }

    /// Whether a text is a calendar day, `2026-11-21`.
    static func isDate(_ text: String) -> Bool { text.utf8.count == 10 && Timestamp(text)?.date == text }
}
