import PlugCore

/// The parents of a stream, by the names that expressions use.
struct PartitionNames {
    /// The programs for the values of names, in templates and programs alike.
    var values: [String: String] = [:]
    /// The programs for other members of the parent's record.
    var extras: [String: String] = [:]
    /// The names for the parent's own parents.
    var above: [String: PartitionNames] = [:]

    /// The roots that these programs begin with, including those of parents: another one with such a name would hide them.
    var roots: Set<String> {
        let own = (Array(values.values) + extras.values).map { value in
            String(value.drop { "([".contains($0) }.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        }
        return above.values.reduce(into: Set(own)) { $0.formUnion($1.roots) }
    }

    /// The program for the value at a path.
    func value(at keys: [String]) -> String? {
        guard let first = keys.first else { return nil }
        if first == "parent_slice" {
            for names in above.values { if let found = names.value(at: Array(keys.dropFirst())) { return found } }
            return nil
        }
        if first == "extra_fields" {
            let name = keys.dropFirst().first
            return name.flatMap { extras[$0] }.map { Self.member($0, keys.dropFirst(2)) }
        }
        if let value = values[first] { return Self.member(value, keys.dropFirst()) }
        return extras[first].map { Self.member($0, keys.dropFirst()) }
    }

    private static func member(_ base: String, _ keys: ArraySlice<String>) -> String {
        base + keys.map(PathNotation.step).joined()
    }

    /// Adds the names of another.
    mutating func merge(_ other: PartitionNames) {
        values.merge(other.values) { mine, _ in mine }
        extras.merge(other.extras) { mine, _ in mine }
        above.merge(other.above) { mine, _ in mine }
    }
}
