import LosslessJSON
import PlugCore

/// One place in which two values differ.
struct JSONDifference: Equatable {
    /// The path in jq's notation, such as `.tags[0].name`; empty for the values themselves.
    var path: String
    /// The expected value; `nil` if there should be none.
    var expected: String?
    /// The actual value; `nil` if there is none.
    var actual: String?

    /// `.path: expected EXPECTED, VERB ACTUAL`
    func description(verb: String = "got") -> String {
        let left = expected.map { "expected \($0)" } ?? "expected nothing"
        return "\(path.isEmpty ? "" : "\(path): ")\(left), \(actual.map { "\(verb) \($0)" } ?? "nothing is there")"
    }

    /// The same without the values of hidden members.
    ///
    /// - Parameter place: Where the record is.
    func hiding(_ hidden: HiddenMembers, below place: String) -> JSONDifference {
        let isAround = !hidden.isEmpty && place.hasPrefix(path)
        let isInside = hidden.allNames.contains { name in
            let member = place + PathNotation.step(name)
            guard path.hasPrefix(member) else { return false }
            let next = path.dropFirst(member.count).first
            return next == nil || next == "." || next == "["
        }
        guard isAround || isInside else { return self }
        return JSONDifference(
            path: path,
            expected: expected.map { _ in HiddenMembers.mark },
            actual: actual.map { _ in HiddenMembers.mark }
        )
    }

    /// A few differences as lines, and the number of further ones.
    static func lines(_ differences: [JSONDifference], limit: Int = 5) -> [String] {
        var lines = differences.prefix(limit).map { "  \($0.description())" }
        if differences.count > limit { lines.append("  and \(differences.count - limit) more") }
        return lines
    }

    /// All differences, members in the order of their names. Numbers are compared as written: `1.0` is not `1`, because a
    /// record's bytes are frozen.
    static func between(_ expected: JSONValue, _ actual: JSONValue, at path: String = "") -> [JSONDifference] {
        switch (expected, actual) {
        case (.object(let left), .object(let right)):
            return Set(left.keys).union(right.keys).sorted().flatMap { key in
                compare(left[key], right[key], at: path + PathNotation.step(key.text))
            }
        case (.array(let left), .array(let right)):
            return (0..<max(left.count, right.count)).flatMap { index in
                compare(
                    index < left.count ? left[index] : nil,
                    index < right.count ? right[index] : nil,
                    at: "\(path)[\(index)]"
                )
            }
        default:
            let (left, right) = (canonical(expected), canonical(actual))
            return left == right ? [] : [JSONDifference(path: path, expected: shown(left), actual: shown(right))]
        }
    }

    private static func compare(_ left: JSONValue?, _ right: JSONValue?, at path: String) -> [JSONDifference] {
        switch (left, right) {
        case (let left?, let right?): between(left, right, at: path)
        case (let left?, nil): [JSONDifference(path: path, expected: shown(canonical(left)), actual: nil)]
        case (nil, let right?): [JSONDifference(path: path, expected: nil, actual: shown(canonical(right)))]
        case (nil, nil): []
        }
    }

    private static func canonical(_ value: JSONValue) -> String {
        var writer = CanonicalJSON()
        writer.append(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func shown(_ text: String) -> String {
        text.count <= 200 ? text : text.prefix(199) + "…"
    }
}
