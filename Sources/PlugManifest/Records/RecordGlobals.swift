package import LosslessJSON
package import PlugCore

/// What programs over records see besides the record: `parent`, `config` without its secrets, and the names that `for_each` gives
/// to the parents; in a stream that is read from an export also the name of the `entry`. Programs over answers also see the
/// answer's `headers`.
package struct RecordGlobals: Sendable, Equatable {
    /// The names, in the order in which `JQProgram.run` takes their values.
    package let names: [String]
    /// The names of the parents, outermost first.
    private let lineage: [String?]

    /// - Parameter hasEntry: Whether the records are in the entries of an archive.
    init(lineage: [String?], hasEntry: Bool = false) {
        self.lineage = lineage
        names = ["parent", "config"] + Self.distinct(lineage) + (hasEntry ? [Self.entry] : [])
    }

    /// The global for the name of the archive's entry that a record is in.
    package static let entry = "entry"

    private init(names: [String], lineage: [String?]) {
        self.names = names
        self.lineage = lineage
    }

    /// Each name once.
    static func distinct(_ lineage: [String?]) -> [String] {
        var names: [String] = []
        for case let name? in lineage where !names.contains(name) { names.append(name) }
        return names
    }

    /// What programs over records without parents see.
    package static let alone = RecordGlobals(lineage: [])

    /// What `http.on` conditions see: `config` and `headers`.
    package static let answer = RecordGlobals(names: ["config", "headers"], lineage: [])

    /// The same, plus `headers`.
    var withHeaders: RecordGlobals { RecordGlobals(names: names + ["headers"], lineage: lineage) }

    /// The same, plus the bounds of the request: `since` and `until`.
    var withBounds: RecordGlobals { RecordGlobals(names: names + Self.bounds, lineage: lineage) }
    private static let bounds = ["since", "until"]

    /// The names whose values come from the parents.
    package var ofParents: [String] { names.filter { !Self.ofOthers.contains($0) } }
    private static let ofOthers = ["config", "headers", entry] + bounds

    /// The values in order.
    ///
    /// - Parameters:
    ///   - parents: The raw records that the stream is read for, outermost first, the parent's last; empty if there are none.
    ///   - config: The configuration; give `Manifest.withoutSecrets`.
    ///   - headers: The answer's headers: names in lower case, several of one name joined by `, `.
    ///   - bounds: The bounds of the request, for `since`.
    ///   - entry: The name of the archive's entry that the records are in.
    package func values(
        parents: [JSONValue],
        config: JSONValue,
        headers: JSONValue = .null,
        bounds: FetchedPage.Bounds? = nil,
        entry: String? = nil
    ) -> [JSONValue] {
        names.map { name in
            switch name {
            case "config": config
            case "headers": headers
            case "parent": parents.last ?? .null
            case Self.entry: entry.map { .text($0) } ?? .null
            case "since": bounds?.lower ?? .null
            case "until": bounds?.upper ?? .null
            default: Self.value(of: name, lineage, parents)
            }
        }
    }

    /// The value of a name: the nearest record that has it.
    static func value(of name: String, _ lineage: [String?], _ parents: [JSONValue]) -> JSONValue {
        guard let index = lineage.lastIndex(of: name), parents.indices.contains(index) else { return .null }
        return parents[index]
    }
}
