package import LosslessJSON

/// What says that a thing is gone: `{"_id": …, "deleted": true, "of": …}`.
package enum DeletionRecord {
    /// What follows the `_id` of the record that was last known of a thing: `@deleted`, behind an empty version where it has none.
    ///
    /// - Parameter thing: How many bytes of it are the thing's.
    package static func ending(of identity: ArraySlice<UInt8>, thing: Int) -> [UInt8] {
        Array((identity.count == thing ? "@@deleted" : "@deleted").utf8)
    }

    /// The record.
    ///
    /// - Parameters:
    ///   - identity: Its `_id`; `nil` with `identity: off`.
    ///   - thing: The `_id` of what is gone, without its version.
    package static func json(_ identity: String?, of thing: String?) -> JSONObject {
        var object = JSONObject()
        if let identity, let thing {
            object["_id"] = .text(identity)
            object["of"] = .text(thing)
        }
        object["deleted"] = .bool(true)
        return object
    }
}
