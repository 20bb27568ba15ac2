package import LosslessJSON
package import PlugCore

/// A plug's manifest, checked: every program compiled, every template parsed, every reference resolved.
///
/// Only `ManifestReader` makes one, and only when it found no error.
package struct Manifest: Sendable {
    /// The plug's id, `[a-z0-9-]+`.
    package var id: String
    /// The version of the manifest language; always 1.
    package var api: Int
    /// The version of this plug, `n.n.n`.
    package var version: String
    /// The one PDA namespace it may write to; the id unless the manifest says otherwise.
    package var namespace: String
    /// The day this version was released, as written.
    package var released: String?
    /// Who can still use the service; `nil` for everybody.
    package var status: ServiceStatus?
    /// Where requests, next links and redirects may go.
    package var hosts: [HostPattern]
    /// The HATApplicationObject in its own keys, as far as the manifest gives it.
    package var application: JSONValue?
    /// What the person is asked, in file order.
    package var config: [ConfigField]
    /// Named values, rendered once for each run, in file order; each may use the ones before it.
    package var vars: [(name: String, value: Template)]
    /// How requests are authenticated.
    package var authorization: Authorization
    /// How to find out whether the account can be read, and whose it is.
    package var check: AccountCheck?
    /// How the service tells that something is new; `nil` where it does not.
    package var webhook: Webhook?
    /// Settings for all requests.
    package var http: HTTPSettings
    /// The program that reads the source; `nil` where requests do.
    package var program: ProgramSettings?
    /// The streams, in file order.
    package var streams: [Stream]
    /// The file it was read from.
    package var source: ManifestSource

    /// The stream of a name.
    package func stream(_ name: String) -> Stream? { streams.first { $0.name == name } }

    /// The providers whose clients it takes of a host.
    package var providers: [String] { authorization.providers + [webhook?.provider].compactMap(\.self) }

    /// What is not shown of records at `namespace/endpoint`, whichever stream they are of.
    package func hidden(at path: String) -> HiddenMembers {
        streams.filter { $0.path?.description == path }.reduce(HiddenMembers()) { $0.union($1.hidden) }
    }

    /// The configuration as programs over records see it: without the fields marked `secret`, and without files. What a connection
    /// is called does not depend on either, so that a newer export goes into the same one.
    package func withoutSecrets(_ values: JSONObject) -> JSONValue {
        let secrets = Set(config.filter { $0.isSecret || $0.type == .file }.map { JSONString($0.name) })
        return .object(JSONObject(values.members.filter { !secrets.contains($0.key) }))
    }
}

extension Manifest {
    /// The configuration as templates see it: what a file is called on this machine goes into no request.
    package func withoutFiles(_ values: JSONObject) -> JSONObject {
        let files = Set(config.filter { $0.type == .file }.map { JSONString($0.name) })
        return files.isEmpty ? values : JSONObject(values.members.filter { !files.contains($0.key) })
    }
}

/// The text of a manifest and where it came from: what a printer of diagnostics needs.
package struct ManifestSource: Sendable, Equatable {
    /// The path as the user named it, with `plug.yaml` added to a folder.
    package var path: String
    /// The file's text; invalid UTF-8 is replaced.
    package var text: String
    /// The texts of the files beside it that it names, by their names.
    package var files: [String: String] = [:]

    /// A source.
    package init(path: String, text: String) {
        self.path = path
        self.text = text
    }

    /// All of it, in one order: what another text would make another manifest.
    package var content: [UInt8] {
        files.sorted { $0.key < $1.key }.reduce(Array(text.utf8)) { $0 + [0] + $1.key.utf8 + [0] + $1.value.utf8 }
    }
}

/// A value that the person who sets the plug up is asked for.
package struct ConfigField: Sendable {
    /// What it may hold.
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
    /// What it may hold.
    package var type: Kind
    /// The only values allowed (`enum`), of a list the only elements; empty for any.
    package var choices: [JSONValue]
    /// The value used when the person gives none.
    package var `default`: JSONValue?
    /// Whether it must never be shown, stored in the clear or given on a command line.
    package var isSecret: Bool
    /// The question to ask.
    package var title: String?
    /// Whether the plug does without an answer: `optional`, or a secret that only one of several ways to authenticate needs.
    package var isOptional = false

    /// Whether a connection needs an answer. No host reads a file: who uses its pages or its API would choose what is read of
    /// its disk.
    package var isRequired: Bool { type != .file && `default` == nil && !isOptional }
}
