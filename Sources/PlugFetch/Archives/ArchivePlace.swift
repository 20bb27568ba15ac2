import LosslessJSON
import PlugCore

/// Where the reading of an archive stands: `{"archive": DIGEST, "for": KEY, "entry": 12, "records": 3000}`.
///
/// It counts for the same archive and the same manifest and configuration: with others, what lies before it may give other records.
struct ArchivePlace: Sendable, Equatable {
    /// The archive's digest, in hexadecimal, with the day if what is counted depends on that.
    var archive: String
    /// The key of what is read of it; `nil` where nothing is remembered.
    var key: String?
    /// The number of the entry, among all of the archive.
    var entry = 0
    /// How many of the entry's records were read, broken ones included.
    var records = 0
    /// Whether the program `records` gave something of them: if not, what follows may be its only output.
    var hasGiven = false

    init(archive: String, key: String?) { (self.archive, self.key) = (archive, key) }

    /// Reads what `json` wrote; `nil` if it is no place in this archive, or was made with another manifest.
    init?(_ json: JSONValue?, in archive: String, key: String?) {
        guard let json, json["archive"]?.stringText == archive, json["for"]?.stringText == key,
            let entry = json["entry"]?.number?.int64, let records = json["records"]?.number?.int64, entry >= 0,
            records >= 0
        else { return nil }
        (self.archive, self.key, self.entry, self.records) = (archive, key, Int(entry), Int(records))
        hasGiven = json["given"]?.bool ?? (records > 0)
    }

    /// Goes to the beginning of an entry.
    mutating func begin(_ entry: Int) { (self.entry, records, hasGiven) = (entry, 0, false) }

    /// Goes behind an entry.
    mutating func leave(_ entry: Int) { begin(entry + 1) }

    /// As a state keeps it.
    var json: JSONValue {
        var members: [JSONObject.Member] = [("archive", .text(archive))]
        if let key { members.append(("for", .text(key))) }
        members += [("entry", .integer(entry)), ("records", .integer(records))]
        if records > 0, !hasGiven { members.append(("given", .bool(false))) }
        return .object(JSONObject(members))
    }
}

/// What tells that a stream has read an archive to its end: `{"for": KEY, "archive": DIGEST}`.
struct ArchiveProof: Sendable, Equatable {
    var key: String
    var archive: String

    init(_ archive: String, for key: String) { (self.archive, self.key) = (archive, key) }

    /// Reads what a state keeps; `nil` if that is something else.
    init?(_ json: JSONValue?) {
        guard let json, let archive = json["archive"]?.stringText, let key = json["for"]?.stringText else { return nil }
        self.init(archive, for: key)
    }

    /// As a state keeps it.
    var json: JSONValue { .members(("for", .text(key)), ("archive", .text(archive))) }
}
