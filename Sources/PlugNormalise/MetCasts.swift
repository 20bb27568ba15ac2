internal import JQ
public import PlugCore
public import PlugManifest

/// Which casts of a stream's `fields` have met the member that they name, in at least one record.
public struct MetCasts: Sendable, Equatable {
    private var words: [UInt64] = []

    /// None.
    public init() {}

    mutating func insert(_ index: Int) {
        while words.count <= index / 64 { words.append(0) }
        words[index / 64] |= 1 << UInt64(index % 64)
    }

    /// Takes in what others have met.
    public mutating func formUnion(_ other: MetCasts) {
        while words.count < other.words.count { words.append(0) }
        for (at, word) in other.words.enumerated() { words[at] |= word }
    }

    private func contains(_ index: Int) -> Bool {
        index / 64 < words.count && words[index / 64] & (1 << UInt64(index % 64)) != 0
    }

    /// What is wrong with a stream whose `version` no record has; `nil` for nothing.
    ///
    /// - Parameters:
    ///   - hasVersion: Whether a record has one.
    ///   - records: How many records there were.
    public static func versionFault(_ stream: Stream, hasVersion: Bool, records: Int) -> PlugError? {
        guard let version = stream.version, stream.hasIdentity, records > 0, !hasVersion else { return nil }
        return PlugError(
            "version-unmet",
            exit: .failed,
            "'version' (\(version.source)) gives null for \(records == 1 ? "the record" : "all \(records) records"): a record "
                + "that changes would count as known, and its change would not be delivered",
            advice:
                "check 'version' against a record of the source; without one, leave 'version' out, and contents are compared",
            stream: stream.name
        )
    }

    /// What is wrong with a stream of which no record has a member that is cast; `nil` for nothing.
    ///
    /// - Parameters:
    ///   - manifest: Whose stream it is, for the place.
    ///   - records: How many records there were.
    public func fault(_ stream: Stream, in manifest: Manifest, records: Int) -> PlugError? {
        let unmet = stream.fields.enumerated().filter { !contains($0.offset) }.map(\.element)
        guard records > 0, let first = unmet.first else { return nil }
        let names = unmet.map { "'\($0.name)'" }.joined(separator: ", ")
        let count = records == 1 ? "the record" : "any of the \(records) records"
        return PlugError(
            "cast-unmet",
            exit: .failed,
            "\(manifest.source.path):\(first.location.line):\(first.location.column): 'fields' casts \(names), which "
                + "\(unmet.count == 1 ? "is" : "are") not in \(count) after 'map'",
            advice: "'fields' names members of what 'map' gives, not of the source's record: check the spelling",
            stream: stream.name
        )
    }
}
