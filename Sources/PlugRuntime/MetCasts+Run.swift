internal import PlugCore
internal import PlugManifest
internal import PlugNormalise

extension MetCasts {
    /// What a run says of casts that met no member: after so few records the member may be one that is seldom there.
    func fault(_ stream: Stream, in manifest: Manifest, after counts: StreamCounts) -> PlugError? {
        let records = counts.fetched - counts.dropped
        return records >= Self.many ? fault(stream, in: manifest, records: records) : nil
    }

    /// The same of versions: what has never changed may have none.
    static func versionFault(_ stream: Stream, hasVersion: Bool, after counts: StreamCounts) -> PlugError? {
        let records = counts.fetched - counts.dropped - counts.deadLetters
        return records >= many ? versionFault(stream, hasVersion: hasVersion, records: records) : nil
    }

    private static let many = 20
}
