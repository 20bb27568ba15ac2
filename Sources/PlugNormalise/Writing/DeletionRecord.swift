package import LosslessJSON
internal import PlugCore

/// A record of a deleted thing: `{"_id": …, "deleted": true, "of": …}`.
package struct DeletionRecord {
    /// Its `_id`: that of the last known record of the thing, and `@deleted`, after an empty version if it has none.
    package let identity: [UInt8]
    /// The `_id` of the deleted thing, without its version.
    package let thing: String

    /// - Parameter identity: The `_id` of the last known record of the thing.
    package init(of identity: [UInt8]) {
        let thing = RecordBlock.unversioned(identity[...])
        self.identity = identity + Array((identity.count == thing.count ? "@@deleted" : "@deleted").utf8)
        self.thing = String(decoding: thing, as: UTF8.self)
    }

    /// The record.
    package var json: JSONValue {
        .members(
            ("_id", .text(String(decoding: identity, as: UTF8.self))),
            ("deleted", .bool(true)),
            ("of", .text(thing))
        )
    }

    /// Its canonical form.
    package var bytes: [UInt8] {
        var writer = CanonicalJSON()
        writer.append(json)
        return writer.bytes
    }
}
