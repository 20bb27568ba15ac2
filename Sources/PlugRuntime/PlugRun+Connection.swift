internal import Cryptography
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugNormalise
package import PlugStorage

extension PlugRun {
    /// How many unanswered keys are considered for names from earlier versions: each doubles their number.
    private static let unansweredLimit = 8

    /// The connection's name: as given, otherwise the plug's id and a hash of the PDA and the non-secret answers.
    ///
    /// Only keys that were answered count, so that a manifest that gains a key with a default leaves the name unchanged.
    package static func connectionName(for request: RunRequest) -> String {
        request.connection ?? name(request, leavingOut: request.unanswered)
    }

    /// The name under which the store knows the connection. Earlier versions also counted the defaults of the manifest at the
    /// time: a connection created under such a name keeps it.
    package static func knownName(
        for request: RunRequest,
        in store: (any ConnectionStore)?
    ) async throws -> String {
        let name = connectionName(for: request)
        let unanswered = request.unanswered
        guard request.connection == nil, !unanswered.isEmpty, let store else { return name }
        if try await store.connection(ConnectionID(name)) != nil { return name }
        // It is unknown which of these keys the manifest had then: try all first, then without one, and so on.
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
    /// Keys of the configuration with the manifest's own values.
    fileprivate var unanswered: Set<String> {
        guard let answered else { return [] }
        return Set(config.members.map(\.key.text)).subtracting(answered)
    }
}

extension StreamCounts {
    /// Adds a page that is read but not delivered.
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
    /// Whether a complete pass over a child stream meets all of its parents, not only those that have changed. Elements of lists
    /// come and go with the configuration, and keep their stored state.
    func listsAllParents(of stream: Stream) -> Bool {
        guard let parent = stream.parent?.onlyStream, let above = self.stream(parent) else { return false }
        return !readsIncrementally(above) && (above.parent == nil || listsAllParents(of: above))
    }

    /// Whether a stream, or one that is read for it, has a position to continue from.
    func readsIncrementally(_ stream: Stream) -> Bool {
        stream.since != nil
            || (stream.parent?.streams ?? []).contains { self.stream($0).map(readsIncrementally) ?? false }
    }
}

extension Manifest {
    /// The other streams whose records are the same things as this one's: those of the same endpoint, such as a service's API and
    /// its export. Whichever delivers a thing first, the others know it.
    func kin(of stream: Stream) -> [String] {
        guard let path = stream.path, stream.options.hasIdentity else { return [] }
        return streams.filter { other in
            other.name != stream.name && other.path == path && other.options.hasIdentity
                && other.declaresVersion == stream.declaresVersion
        }.map(\.name)
    }
}
