internal import PlugManifest

/// A key of `plughost.yaml` with a value of its own, which may stand elsewhere too.
struct HostKey: Sendable {
    /// Its path, such as `limits.memory`.
    let path: String
    let spec: KeySpec

    /// `PLUGHOST_LIMITS_MEMORY`; `nil` for what a variable cannot say.
    var variable: String? {
        if case .names = spec.shape { return nil }
        return "PLUGHOST_" + path.uppercased().replacing(".", with: "_")
    }

    /// The option of `plughost serve` that says the same.
    var option: HostOption? { HostOption.allCases.first { $0.path == path } }

    /// Every key, in the order of the table.
    static let all: [HostKey] = HostTables.host.keys.flatMap { spec in
        if case .table(let inner) = spec.shape {
            return inner.keys.map { HostKey(path: "\(spec.name).\($0.name)", spec: $0) }
        }
        return [HostKey(path: spec.name, spec: spec)]
    }
}

/// An option of `plughost serve` that goes before the file and the variables.
package enum HostOption: String, Sendable, CaseIterable {
    /// Where to listen.
    case listen = "--listen"
    /// How others reach the host.
    case publicURL = "--public-url"
    /// The folder that remembers.
    case state = "--state"
    /// The directory behind this host's.
    case directoryUpstream = "--directory-upstream"

    /// The key that it stands for.
    var path: String {
        switch self {
        case .listen: "listen"
        case .publicURL: "public_url"
        case .state: "state"
        case .directoryUpstream: "pda.directory_upstream"
        }
    }
}
