package import LosslessJSON

/// What says that a thing is gone: `{"_id": …, "deleted": true, "of": …}`.
package struct DeletionRecord {
    /// Its `_id`: that of the record that was last known of the thing, and `@deleted`, behind an empty version where it has none.
    package let identity: [UInt8]
    /// The `_id` of what is gone, without its version.
    package let thing: String

    /// - Parameters:
    ///   - identity: The `_id` of the record that was last known of the thing.
    ///   - thing: How many bytes of it are the thing's.
    package init(of identity: some Collection<UInt8>, thing: Int) {
        self.identity = Array(identity) + Array((identity.count == thing ? "@@deleted" : "@deleted").utf8)
        self.thing = String(decoding: identity.prefix(thing), as: UTF8.self)
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
