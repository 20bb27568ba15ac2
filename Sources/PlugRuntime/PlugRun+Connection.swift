internal import Crypto
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugNormalise

extension PlugRun {
    /// The connection's name: as given, else the plug's id and a hash of the PDA and the config that is not secret.
    public static func connectionName(for request: RunRequest) -> String {
        if let name = request.connection { return name }
        var form = CanonicalJSON()
        form.append(.text(request.pda))
        form.append(request.manifest.withoutSecrets(request.config))
        return request.manifest.id + "-" + Hexadecimal.encoded(SHA256.hash(data: form.bytes).prefix(6))
    }
}

extension StreamCounts {
    /// Adds a page that is read and not delivered.
    mutating func add(_ page: FetchedPage, _ normalised: NormalisedPage) {
        requests += page.cost.requests
        pages += page.cost.pages
        bytesIn += page.cost.bytes
        let records = normalised.block.entries.count + normalised.deadLetters.count
        fetched += records
        deadLetters += normalised.deadLetters.count
        undelivered += normalised.block.entries.count
        dropped += normalised.dropped
        repaired += normalised.repaired
    }
}

extension Manifest {
    /// Whether a complete pass over a child stream meets all of its parents, not only those that have changed.
    func listsAllParents(of stream: Stream) -> Bool {
        guard let parent = stream.parent, let above = streams.first(where: { $0.name == parent.stream }) else {
            return false
        }
        return !readsIncrementally(above)
    }

    /// Whether a stream, or one that it is read for, has a place to continue at.
    func readsIncrementally(_ stream: Stream) -> Bool {
        if stream.since != nil { return true }
        guard let parent = stream.parent, let above = streams.first(where: { $0.name == parent.stream }) else {
            return false
        }
        return readsIncrementally(above)
    }
}
