internal import PDAWire
internal import PlugCore

/// The paths of a route, with at most one variable part: `applications/{}/setup`.
struct RoutePath<Value: Sendable>: Sendable {
    /// Where the path begins.
    enum Base: Sendable {
        /// At the root.
        case root
        /// Under `/api/v2.6/` and the two older base paths.
        case everyVersion
        /// Under `/api/v2.6/` only: the older base paths have fewer routes.
        case newestVersion
    }

    private let base: Base
    private let before: String
    private let after: String
    private let part: PathPart<Value>?
    private let whole: Value?

    private init(_ base: Base, _ pattern: String, _ part: PathPart<Value>) {
        let hole = pattern.firstRange(of: "{}") ?? pattern.endIndex..<pattern.endIndex
        (self.base, self.part, whole) = (base, part, nil)
        before = String(pattern[..<hole.lowerBound])
        after = String(pattern[hole.upperBound...])
    }

    /// A path below the root, with `{}` for the variable part.
    static func root(_ pattern: String, _ part: PathPart<Value>) -> Self { Self(.root, pattern, part) }
    /// A path in every version of the API.
    static func every(_ pattern: String, _ part: PathPart<Value>) -> Self { Self(.everyVersion, pattern, part) }
    /// A path in the newest version of the API.
    static func newest(_ pattern: String, _ part: PathPart<Value>) -> Self { Self(.newestVersion, pattern, part) }

    /// The value in a path, `nil` if it does not match.
    func value(in path: RequestPath) -> Value? {
        switch base {
        case .root: guard path.version == nil else { return nil }
        case .everyVersion: guard path.version != nil else { return nil }
        case .newestVersion: guard path.version == .newest else { return nil }
        }
        guard let part else { return path.rest == before ? whole : nil }
        guard path.rest.hasPrefix(before), path.rest.hasSuffix(after),
            path.rest.count >= before.count + after.count
        else { return nil }
        return part.read(path.rest.dropFirst(before.count).dropLast(after.count))
    }
}

extension RoutePath where Value == Void {
    private init(_ base: Base, _ path: String) {
        (self.base, before, after, part, whole) = (base, path, "", nil, ())
    }

    static func root(_ path: String) -> Self { Self(.root, path) }
    static func every(_ path: String) -> Self { Self(.everyVersion, path) }
    static func newest(_ path: String) -> Self { Self(.newestVersion, path) }
}

/// The path of a request, without its version. Paths are matched undecoded; `//` and a final `/` are kept.
struct RequestPath: Sendable {
    enum Version: Sendable { case newest, older }

    let version: Version?
    let rest: Substring

    init(_ path: String) {
        for (base, version) in [("/api/v2.6/", Version.newest), ("/api/v2.0/", .older), ("/api/v2/", .older)]
        where path.hasPrefix(base) {
            (self.version, rest) = (version, path.dropFirst(base.count))
            return
        }
        (version, rest) = (nil, path[...])
    }
}

/// What the variable part of a path may be.
struct PathPart<Value>: Sendable {
    let read: @Sendable (Substring) -> Value?
}

extension PathPart where Value == String {
    /// One part of a path, decoded.
    static let segment = PathPart { text in
        text.isEmpty || text.contains("/") ? nil : PercentEncoding.decode(text)
    }
    /// The name of a bundle, or the key of a data debit.
    static let name = PathPart { DebitName.accepts($0) ? String($0) : nil }
    /// Several parts, in the grammar of endpoints.
    static let endpoint = PathPart { DataPath.isEndpoint($0) ? String($0) : nil }
}

extension PathPart where Value == DataPath {
    /// `NAMESPACE/ENDPOINT`
    static let data = PathPart { text in
        guard let slash = text.firstIndex(of: "/") else { return nil }
        return DataPath(namespace: String(text[..<slash]), endpoint: String(text[text.index(after: slash)...]))
    }
}

/// The target of a request forwarded to an application.
struct ProxyPath: Sendable {
    var application: String
    var path: String
}

extension PathPart where Value == ProxyPath {
    /// `ID/proxy/PATH`
    static let proxy = PathPart { text in
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1] == "proxy" else { return nil }
        return PathPart<String>.segment.read(parts[0]).map { ProxyPath(application: $0, path: String(parts[2])) }
    }
}
