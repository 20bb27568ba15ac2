import LosslessJSON
import PlugCore

/// A position in an archive: `{"archive": DIGEST, "for": KEY, "entry": 12, "records": 3000}`.
///
/// Valid only for the same archive, manifest and configuration: with others, the entries before it may yield other records.
struct ArchivePlace: Sendable, Equatable {
    /// The archive's digest, in hexadecimal, with the day if the record count depends on it.
    var archive: String
    /// The key of what is read from it; `nil` if nothing is remembered.
    var key: String?
    /// The number of the entry among all in the archive.
    var entry = 0
    /// How many of the entry's records were read, broken ones included.
    var records = 0
    /// Whether the program `records` has yielded anything for them: if not, what follows may be its only output.
    var hasGiven = false

    init(archive: String, key: String?) { (self.archive, self.key) = (archive, key) }

    /// Reads what `json` wrote; `nil` if it is not a place in this archive, or was made with another manifest.
    init?(_ json: JSONValue?, in archive: String, key: String?) {
        guard let json, json["archive"]?.stringText == archive, json["for"]?.stringText == key,
            let entry = json["entry"]?.number?.int64, let records = json["records"]?.number?.int64, entry >= 0,
            records >= 0
        else { return nil }
        (self.archive, self.key, self.entry, self.records) = (archive, key, Int(entry), Int(records))
        hasGiven = json["given"]?.bool ?? (records > 0)
    }

    /// Moves to the beginning of an entry.
    mutating func begin(_ entry: Int) { (self.entry, records, hasGiven) = (entry, 0, false) }

    /// Moves past an entry.
    mutating func leave(_ entry: Int) { begin(entry + 1) }

    /// In its stored form.
    var json: JSONValue {
        var members: [JSONObject.Member] = [("archive", .text(archive))]
        if let key { members.append(("for", .text(key))) }
        members += [("entry", .integer(entry)), ("records", .integer(records))]
        if records > 0, !hasGiven { members.append(("given", .bool(false))) }
        return .object(JSONObject(members))
    }
}

/// Proves that a stream has read an archive completely: `{"for": KEY, "archive": DIGEST}`.
struct ArchiveProof: Sendable, Equatable {
    var key: String
    var archive: String

    init(_ archive: String, for key: String) { (self.archive, self.key) = (archive, key) }

    /// Reads the stored form; `nil` if it is something else.
    init?(_ json: JSONValue?) {
        guard let json, let archive = json["archive"]?.stringText, let key = json["for"]?.stringText else { return nil }
        self.init(archive, for: key)
    }

    /// In its stored form.
    var json: JSONValue { .members(("for", .text(key)), ("archive", .text(archive))) }
}
