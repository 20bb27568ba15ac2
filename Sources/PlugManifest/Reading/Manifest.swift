package import LosslessJSON
package import PlugCore

/// A plug's manifest, checked: every program compiled, every template parsed, every reference resolved.
///
/// Only `ManifestReader` creates one, and only if it found no errors. A class: all runs of a plug share it, and a copy of a
/// struct would retain some thirty members.
package final class Manifest: Sendable {
    /// The plug's id, `[a-z0-9-]+`.
    package let id: String
    /// The version of the manifest language; always 1.
    package let api: Int
    /// The version of this plug, `n.n.n`.
    package let version: String
    /// The only PDA namespace it may write to; the id unless the manifest says otherwise.
    package let namespace: String
    /// The day this version was released, as written.
    package let released: String?
    /// Who can still use the service; `nil` for everyone.
    package let status: ServiceStatus?
    /// Where requests, next links and redirects may go.
    package let hosts: [HostPattern]
    /// The HATApplicationObject in its own keys, as far as the manifest gives it.
    package let application: JSONValue?
    /// What the person is asked, in file order.
    package let config: [ConfigField]
    /// Named values, rendered once per run, in file order; each may use the ones before it.
    package let vars: [(name: String, value: Template)]
    /// How requests are authenticated.
    package let authorization: Authorization
    /// How to find out whether the account can be read, and whose it is.
    package let check: AccountCheck?
    /// How the service reports news; `nil` if it does not.
    package let webhook: Webhook?
    /// Settings for all requests.
    package let http: HTTPSettings
    /// The program that reads the source; `nil` if requests do.
    package let program: ProgramSettings?
    /// The streams, in file order.
    package let streams: [Stream]
    /// The file it was read from.
    package let source: ManifestSource

    init(
        id: String,
        api: Int,
        version: String,
        namespace: String,
        released: String?,
        status: ServiceStatus?,
        hosts: [HostPattern],
        application: JSONValue?,
        config: [ConfigField],
        vars: [(name: String, value: Template)],
        authorization: Authorization,
        check: AccountCheck?,
        webhook: Webhook?,
        http: HTTPSettings,
        program: ProgramSettings?,
        streams: [Stream],
        source: ManifestSource
    ) {
        self.id = id
        self.api = api
        self.version = version
        self.namespace = namespace
        self.released = released
        self.status = status
        self.hosts = hosts
        self.application = application
        self.config = config
        self.vars = vars
        self.authorization = authorization
        self.check = check
        self.webhook = webhook
        self.http = http
        self.program = program
        self.streams = streams
        self.source = source
    }

    /// The same manifest with other streams, another authorisation, or other settings for requests.
    package func replacing(
        streams: [Stream]? = nil,
        authorization: Authorization? = nil,
        http: HTTPSettings? = nil
    ) -> Manifest {
        Manifest(
            id: id,
            api: api,
            version: version,
            namespace: namespace,
            released: released,
            status: status,
            hosts: hosts,
            application: application,
            config: config,
            vars: vars,
            authorization: authorization ?? self.authorization,
            check: check,
            webhook: webhook,
            http: http ?? self.http,
            program: program,
            streams: streams ?? self.streams,
            source: source
        )
    }

    /// The stream with a name.
    package func stream(_ name: String) -> Stream? { streams.first { $0.name == name } }

    /// The providers whose clients it uses from a host.
    package var providers: [String] { authorization.providers + [webhook?.provider].compactMap(\.self) }

    /// Which members are hidden in records at `namespace/endpoint`, whichever stream they are from.
    package func hidden(at path: String) -> HiddenMembers {
        streams.filter { $0.path?.description == path }.reduce(HiddenMembers()) { $0.union($1.hidden) }
    }

    /// The configuration as programs over records see it: without the fields marked `secret`, and without files. A connection's
    /// name does not depend on either, so that a newer export goes into the same one.
    package func withoutSecrets(_ values: JSONObject) -> JSONValue {
        let secrets = Set(config.filter { $0.isSecret || $0.type == .file }.map { JSONString($0.name) })
        return .object(JSONObject(values.members.filter { !secrets.contains($0.key) }))
    }
}

extension Manifest {
    /// The manifest of a caller that does not wait longer than this for a service.
    package func waiting(atMost longest: Duration) -> Manifest {
        guard http.retry.maximumWait > longest else { return self }
        var http = http
        http.retry.maximumWait = longest
        return replacing(http: http)
    }

    /// The configuration as templates see it: local file names go into no request.
    package func withoutFiles(_ values: JSONObject) -> JSONObject {
        let files = Set(config.filter { $0.type == .file }.map { JSONString($0.name) })
        return files.isEmpty ? values : JSONObject(values.members.filter { !files.contains($0.key) })
    }
}

/// The text of a manifest and where it came from, for printing diagnostics.
package struct ManifestSource: Sendable, Equatable {
    /// The path as the user named it, with `plug.yaml` added to a folder.
    package var path: String
    /// The file's text; invalid UTF-8 is replaced.
    package var text: String
    /// The texts of the files beside it that it refers to, by their names.
    package var files: [String: String] = [:]

    /// Creates a source.
    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// All of its content in a fixed order: any change makes it a different manifest.
    package var content: [UInt8] {
        files.sorted { $0.key < $1.key }.reduce(Array(text.utf8)) { $0 + [0] + $1.key.utf8 + [0] + $1.value.utf8 }
    }
}

/// A value that the person who sets up the plug is asked for.
package struct ConfigField: Sendable {
    /// The type of its value.
    package enum Kind: String, Sendable, CaseIterable {
        /// Any text.
        case string
        /// A whole number.
        case integer
        /// A number.
        case number
        /// `true` or `false`.
        case boolean
        /// A day, `2026-11-21`.
        case date
        /// A host name with an optional port: the only kind that `hosts` may refer to.
        case host
        /// A list of texts.
        case list
        /// The path of a file on the machine that runs the plug: the only kind that `archive.file` may refer to.
        case file
    }

    /// The key in `config`.
    package var name: String
    /// The type of its value.
    package var type: Kind
    /// The only values allowed (`enum`), or for a list the only elements; empty for any.
    package var choices: [JSONValue]
    /// The value used if the person gives none.
    package var `default`: JSONValue?
    /// Whether it must never be shown, stored in the clear or given on a command line.
    package var isSecret: Bool
    /// The question to ask.
    package var title: String?
    /// Whether the plug works without an answer: `optional`, or a secret that only one of several ways to authenticate needs.
    package var isOptional = false

    /// Whether a connection needs an answer. No host reads a file: users of its pages or its API could then choose what is read
    /// from its disk.
    package var isRequired: Bool { type != .file && `default` == nil && !isOptional }
}
