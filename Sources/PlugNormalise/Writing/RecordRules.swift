internal import PlugCore
internal import PlugManifest

/// What a manifest says about the records of a stream: which are left out, which are deletions, what identifies them and how they are
/// written.
struct RecordRules: Sendable {
    let dropIf: RecordTest?
    let deletion: RecordTest?
    let identity: RecordIdentity?
    /// Names the things that records without `_id` are about.
    let thing: RecordIdentity?
    let writer: RecordWriter

    init(_ stream: Stream, path: DataPath) {
        dropIf = stream.dropIf.map { RecordTest($0, .dropIf) }
        deletion = stream.deletion.map { RecordTest($0, .deletion) }
        identity = RecordIdentity(stream, path: path)
        thing = RecordIdentity(thingsOf: stream)
        writer = RecordWriter(stream)
    }
}
