internal import LosslessJSON

/// Which members the source's records have, as far as a sample of them shows: names on two levels.
package struct SourceShape: Sendable, Equatable {
    /// The name of a member; for a nested one, both names with U+0000 between them.
    package typealias Name = [UInt8]

    private struct Sightings: Equatable {
        var records = 0
        /// The last record with it, so that a name written twice in one record counts once.
        var last = 0
    }

    /// The number of records examined per page.
    static let recordsPerPage = 20
    /// The number examined per run: what is usual shows in fewer.
    package static let recordsPerRun = 400
    /// An object with more members is a table whose keys are data.
    static let namesPerObject = 50
    /// The maximum number of names kept for a stream.
    package static let nameLimit = 500
    /// Longer names are left out.
    static let nameLength = 200

    /// How many records were examined.
    package private(set) var records = 0
    /// Whether there were more names than are kept.
    package private(set) var isCut = false
    /// The names in the order in which they were met, the sightings of each, and the position of each.
    private var known: [Name] = []
    private var sightings: [Sightings] = []
    private var places: [Name: Int] = [:]
    /// Members whose own members were too many to examine.
    package private(set) var skipped: Set<Name> = []

    /// A shape of no records.
    package init() {}

    /// All names, and whether each was in every record.
    package var names: [(name: Name, isEverywhere: Bool)] {
        zip(known, sightings).map { ($0, $1.records == records) }
    }

    /// Whether any record had a member.
    package func has(_ name: Name) -> Bool { places[name] != nil }

    /// Examines a record.
    mutating func add(_ cursor: JSONCursor, _ node: Int) {
        guard let members = Self.members(cursor, node) else { return }
        records += 1
        // Most records have the same names in the same order.
        var expected = 0
        for (key, value) in members {
            let raw = cursor.rawString(key)
            let isExpected =
                expected < known.count && known[expected].elementsEqual(raw) && !raw.contains(UInt8(ascii: "\\"))
            let name = isExpected ? known[expected] : Self.text(cursor, key)
            guard let place = isExpected ? expected : place(of: name) else { continue }
            note(place)
            expected = place + 1
            guard cursor.kind(value) == .object else { continue }
            guard let inner = Self.members(cursor, value) else {
                if skipped.count < Self.nameLimit { skipped.insert(name) }
                continue
            }
            for (key, _) in inner {
                guard let place = self.place(of: name + [0] + Self.text(cursor, key)) else { continue }
                note(place)
                expected = place + 1
            }
        }
    }

    /// The position of a name; `nil` if it is not kept.
    private mutating func place(of name: Name) -> Int? {
        if let place = places[name] { return place }
        guard name.count <= 2 * Self.nameLength, known.count < Self.nameLimit else {
            isCut = true
            return nil
        }
        places[name] = known.count
        known.append(name)
        sightings.append(Sightings())
        return known.count - 1
    }

    private mutating func note(_ place: Int) {
        guard sightings[place].last != records else { return }
        sightings[place].last = records
        sightings[place].records += 1
    }

    private static func text(_ cursor: JSONCursor, _ key: Int) -> Name {
        var name: Name = []
        _ = cursor.appendText(key, to: &name)
        return name
    }

    /// The members of an object, `nil` for anything else and if there are too many.
    private static func members(_ cursor: JSONCursor, _ node: Int) -> [(key: Int, value: Int)]? {
        guard cursor.kind(node) == .object else { return nil }
        var members: [(key: Int, value: Int)] = []
        var count = 0
        cursor.forEachMember(of: node) { key, value in
            count += 1
            guard count <= namesPerObject, cursor.rawString(key).count <= nameLength else { return }
            members.append((key, value))
        }
        return count > namesPerObject ? nil : members
    }

    /// Merges what other records showed.
    package mutating func add(_ other: SourceShape) {
        guard other.records > 0 else { return }
        records += other.records
        isCut = isCut || other.isCut
        skipped.formUnion(other.skipped.prefix(max(0, Self.nameLimit - skipped.count)))
        for (name, seen) in zip(other.known, other.sightings) {
            if let place = place(of: name) { sightings[place].records += seen.records }
        }
    }
}
