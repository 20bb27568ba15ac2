internal import Cryptography
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugNormalise
package import PlugStorage

extension PlugRun {
    /// How many keys that nobody has answered are looked at for names of earlier versions: each doubles their number.
    private static let unansweredLimit = 8

    /// The connection's name: as given, else the plug's id and a hash of the PDA and the answers that are not secret.
    ///
    /// Only what somebody has answered counts, so that a manifest that gains a key with a default leaves the name as it is.
    package static func connectionName(for request: RunRequest) -> String {
        request.connection ?? name(request, leavingOut: request.unanswered)
    }

    /// The name under which the store knows the connection. Earlier versions counted defaults too, those of the manifest
    /// of their time: a connection that was made under such a name keeps it.
    package static func knownName(
        for request: RunRequest,
        in store: (any ConnectionStore)?
    ) async throws -> String {
        let name = connectionName(for: request)
        let unanswered = request.unanswered
        guard request.connection == nil, !unanswered.isEmpty, let store else { return name }
        if try await store.connection(ConnectionID(name)) != nil { return name }
        // Which of these keys the manifest had then is not known: all first, then without one, and so on.
        let keys = Array(unanswered.sorted().prefix(unansweredLimit))
        let subsets = (0..<(1 << keys.count)).sorted { ($0.nonzeroBitCount, $0) < ($1.nonzeroBitCount, $1) }
        for subset in subsets {
            let missing = keys.indices.filter { subset & (1 << $0) != 0 }.map { keys[$0] }
            let earlier = ConnectionID(self.name(request, leavingOut: Set(missing)))
            guard let known = try await store.connection(earlier), known.plug == request.manifest.id else { continue }
            if known.pda == request.pda { return earlier.name }
        }
        return name
    }

    private static func name(_ request: RunRequest, leavingOut missing: Set<String>) -> String {
        let answers = request.config.members.filter { !missing.contains($0.key.text) }
        var form = CanonicalJSON()
        form.append(.text(request.pda))
        form.append(request.manifest.withoutSecrets(JSONObject(answers)))
        return request.manifest.id + "-" + Hexadecimal.encoded(SHA256.hash(form.bytes).prefix(6))
    }
}

extension RunRequest {
    /// Keys of the configuration whose values are the manifest's own.
    fileprivate var unanswered: Set<String> {
        guard let answered else { return [] }
        return Set(config.members.map(\.key.text)).subtracting(answered)
    }
}

extension StreamCounts {
    /// Adds a page that is read and not delivered.
    mutating func add(_ page: FetchedPage, _ normalised: NormalisedPage) {
        add(page.cost)
        let records = normalised.block.entries.count + normalised.deadLetters.count
        fetched += records
        deadLetters += normalised.deadLetters.count
        undelivered += normalised.block.entries.count
        dropped += normalised.dropped
        deleted += normalised.deletions.count
        repaired += normalised.repaired
    }
}

extension Manifest {
    /// Whether a complete pass over a child stream meets all of its parents, not only those that have changed. Elements of
    /// lists come and go with the configuration, and keep what is known of them.
    func listsAllParents(of stream: Stream) -> Bool {
        guard let parent = stream.parent?.onlyStream, let above = self.stream(parent) else { return false }
        return !readsIncrementally(above) && (above.parent == nil || listsAllParents(of: above))
    }

    /// Whether a stream, or one that it is read for, has a place to continue at.
    func readsIncrementally(_ stream: Stream) -> Bool {
        stream.since != nil
            || (stream.parent?.streams ?? []).contains { self.stream($0).map(readsIncrementally) ?? false }
    }
}

extension Manifest {
    /// The other streams whose records are the same things as this one's: of the same endpoint, such as what a service's API and
    /// its export both have. Whichever delivers a thing first, the others know it.
    func kin(of stream: Stream) -> [String] {
        guard let path = stream.path, stream.hasIdentity else { return [] }
        return streams.filter { other in
            other.name != stream.name && other.path == path && other.hasIdentity
                && other.declaresVersion == stream.declaresVersion
        }.map(\.name)
    }
}
