internal import PlugManifest

/// A key of `plughost.yaml` with a value of its own, which may also be set elsewhere.
struct ConfigurationKey: Sendable {
    /// Its path, such as `limits.memory`.
    let path: String
    let spec: KeySpec

    /// `PLUGHOST_LIMITS_MEMORY`; `nil` for a value that a variable cannot express.
    var variable: String? {
        if case .names = spec.shape { return nil }
        return "PLUGHOST_" + path.uppercased().replacing(".", with: "_")
    }

    /// The equivalent option of `plughost serve`.
    var option: HostOption? { HostOption.allCases.first { $0.path == path } }

    /// Every key, in the order of the table.
    static let all: [ConfigurationKey] = HostTables.host.keys.flatMap { spec in
        if case .table(let inner) = spec.shape {
            return inner.keys.map { ConfigurationKey(path: "\(spec.name).\($0.name)", spec: $0) }
        }
        return [ConfigurationKey(path: spec.name, spec: spec)]
    }
}

/// An option of `plughost serve` that takes precedence over the file and the variables.
package enum HostOption: String, Sendable, CaseIterable {
    /// Where to listen.
    case listen = "--listen"
    /// The host's public address.
    case publicURL = "--public-url"
    /// The state folder.
    case state = "--state"
    /// The directory behind this host's own.
    case directoryUpstream = "--directory-upstream"

    /// The key that it sets.
    var path: String {
        switch self {
        case .listen: "listen"
        case .publicURL: "public_url"
        case .state: "state"
        case .directoryUpstream: "pda.directory_upstream"
        }
    }
}
