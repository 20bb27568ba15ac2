import PlugCore

/// The records of a page in programs over it. Airbyte's paginators see them filtered and transformed.
struct PageRecords {
    /// The program that finds them in the answer.
    var list = "."
    /// Whether an answer may be the list itself.
    var isWhole = false
    /// The condition for the records that are kept.
    var filter: String?
    /// The program that transforms them.
    var map: String?
    /// The members that it changes; `nil` for any.
    var changed: Set<String>? = []
    /// Whether it drops any.
    var mapDrops = false
    /// The schema for casting members, after all that; `nil` for none.
    var schema: Component?

    /// The number of records.
    func count() throws(Unsayable) -> String { "(\(mapDrops ? try mapped() : kept) | length)" }

    /// The last record, or one of its members.
    func last(_ keys: [String]) throws(Unsayable) -> String {
        let isChanged = changed.map { changed in keys.first.map(changed.contains) ?? !changed.isEmpty } ?? true
        let list = mapDrops || (isChanged && map != nil) ? try mapped() : kept
        if keys.isEmpty { return "(\(list) | last)" }
        guard let cast = try AirbyteCasts.program(schema, for: keys), let key = keys.last else {
            return "(\(list) | last | \(PathNotation.path(keys)))"
        }
        // Missing members are not cast.
        let owner = keys.count == 1 ? "" : " | \(PathNotation.path(Array(keys.dropLast())))"
        let has = "type == \"object\" and has(\(JQText.string(key)))"
        return "(\(list) | last\(owner) | if \(has) then \(PathNotation.path([key])) | \(cast) else null end)"
    }

    private var kept: String { filter.map { "(\(list) | map(select(\($0))))" } ?? list }

    private func mapped() throws(Unsayable) -> String {
        guard let map else { return kept }
        if map.contains("since | time(") || map.contains("until | time(") {
            throw Unsayable("programs over answers cannot see the bounds of a request, which records are made of")
        }
        return "(\(kept) | map(\(map)))"
    }
}
