internal import PlugCore
internal import PlugManifest
internal import PlugNormalise

extension MetCasts {
    /// What a run says of casts that met no member: after so few records the member may be one that is seldom there.
    func fault(_ stream: Stream, in manifest: Manifest, after counts: StreamCounts) -> PlugError? {
        let records = counts.fetched - counts.dropped
        return records >= 20 ? fault(stream, in: manifest, records: records) : nil
    }
}
