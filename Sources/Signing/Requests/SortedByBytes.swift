/// Pairs in the order required by both protocols: by name, then by value, byte by byte.
func sortedByBytes(_ pairs: [(name: String, value: String)]) -> [(name: String, value: String)] {
    pairs.sorted { left, right in
        left.name == right.name
            ? left.value.utf8.lexicographicallyPrecedes(right.value.utf8)
            : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}
