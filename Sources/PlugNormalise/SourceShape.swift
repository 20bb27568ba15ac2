internal import LosslessJSON

/// Which members the source's records have, as far as a sample of them shows: names of two levels.
package struct SourceShape: Sendable, Equatable {
    /// The name of a member; of one inside another, both names with U+0000 between them.
    package typealias Name = [UInt8]

    private struct Sightings: Equatable {
        var records = 0
        /// The last record with it, so that a name that is written twice in one counts once.
        var last = 0
    }

    /// So many records of a page are looked at.
    static let recordsPerPage = 20
    /// So many of a run: what is usual shows in fewer.
    package static let recordsPerRun = 400
    /// An object with more members is a table whose keys are data.
    static let namesPerObject = 50
    /// So many names of a stream are kept.
    package static let nameLimit = 500
    /// Longer names are left out.
    static let nameLength = 200

    /// How many records were looked at.
    package private(set) var records = 0
    /// Whether there were more names than are kept.
    package private(set) var isCut = false
    private var sightings: [Name: Sightings] = [:]
    /// Members whose own members were too many to look at.
    package private(set) var skipped: Set<Name> = []

    /// Of no records.
    package init() {}

    /// All names, and whether each was in every record.
    package var names: [(name: Name, isEverywhere: Bool)] {
        sightings.map { ($0.key, $0.value.records == records) }
    }

    /// Whether some record had a member.
    package func has(_ name: Name) -> Bool { sightings[name] != nil }

    /// Looks at a record.
    mutating func add(_ cursor: JSONCursor, _ node: Int) {
        guard let members = Self.members(cursor, node) else { return }
        records += 1
        for (name, value) in members {
            note(name)
            guard cursor.kind(value) == .object else { continue }
            guard let inner = Self.members(cursor, value) else {
                if skipped.count < Self.nameLimit { skipped.insert(name) }
                continue
            }
            for (key, _) in inner { note(name + [0] + key) }
        }
    }

    private mutating func note(_ name: Name) {
        guard name.count <= 2 * Self.nameLength, sightings.count < Self.nameLimit || sightings[name] != nil else {
            isCut = true
            return
        }
        let number = records
        var seen = sightings[name] ?? Sightings()
        guard seen.last != number else { return }
        seen.last = number
        seen.records += 1
        sightings[name] = seen
    }

    /// The members of an object, `nil` for anything else and where they are too many.
    private static func members(_ cursor: JSONCursor, _ node: Int) -> [(name: Name, value: Int)]? {
        guard cursor.kind(node) == .object else { return nil }
        var members: [(name: Name, value: Int)] = []
        var count = 0
        cursor.forEachMember(of: node) { key, value in
            count += 1
            guard count <= namesPerObject, cursor.rawString(key).count <= nameLength else { return }
            var name: Name = []
            _ = cursor.appendText(key, to: &name)
            members.append((name, value))
        }
        return count > namesPerObject ? nil : members
    }

    /// Takes in what other records showed.
    package mutating func add(_ other: SourceShape) {
        guard other.records > 0 else { return }
        records += other.records
        isCut = isCut || other.isCut
        skipped.formUnion(other.skipped.prefix(max(0, Self.nameLimit - skipped.count)))
        for (name, seen) in other.sightings {
            guard sightings.count < Self.nameLimit || sightings[name] != nil else {
                isCut = true
                continue
            }
            sightings[name, default: Sightings()].records += seen.records
        }
    }
}
