package import LosslessJSON
internal import PlugCore
package import PlugStorage

extension ErasureReceipt {
    /// For programs, of the command and of the API:
    /// `{"connection", "plug", "pda", "created", "erased", "key", "rows": {kind: count}, "log_emptied", "consent"}`
    package func json(_ consent: Revocation) -> JSONValue {
        .members(
            ("connection", .text(connection.name)),
            ("plug", .text(plug)),
            ("pda", .text(pda)),
            ("created", .text(Timestamp(microseconds: createdAt).rfc3339)),
            ("erased", .text(Timestamp(microseconds: erasedAt).rfc3339)),
            ("key", .text(key)),
            ("rows", .object(JSONObject(rows.map { (JSONString($0.kind), .integer($0.count)) }))),
            ("log_emptied", .bool(isLogEmpty)),
            ("consent", consent.json)
        )
    }
}
