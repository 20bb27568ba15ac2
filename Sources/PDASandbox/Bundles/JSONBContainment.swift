internal import LosslessJSON

/// PostgreSQL's `jsonb` containment (`@>`).
enum JSONBContainment {
    /// Whether a whole contains a part. At the top level an array also contains each of its scalar elements.
    static func contains(_ whole: JSONValue, _ part: JSONValue) -> Bool {
        if case .array(let elements) = whole, !isContainer(part) { return elements.contains { isEqual($0, part) } }
        return isPart(part, of: whole)
    }

    private static func isPart(_ part: JSONValue, of whole: JSONValue) -> Bool {
        switch (whole, part) {
        case (.object(let all), .object(let some)):
            some.members.allSatisfy { member in all[member.key].map { isPart(member.value, of: $0) } ?? false }
        case (.array(let all), .array(let some)):
            some.allSatisfy { element in
                all.contains { isContainer(element) ? isPart(element, of: $0) : isEqual($0, element) }
            }
        default: !isContainer(whole) && isEqual(whole, part)
        }
    }

    private static func isContainer(_ value: JSONValue) -> Bool { value.object != nil || value.elements != nil }

    /// Numbers are compared by value: `1` equals `1.0`.
    private static func isEqual(_ left: JSONValue, _ right: JSONValue) -> Bool {
        !isContainer(left) && !isContainer(right) && JSONBOrder.compare(left, right) == 0
    }
}
