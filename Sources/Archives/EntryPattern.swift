/// Selects entries of an archive by name: `your_activity/posts/*.json`, `**/Takeout/*/{A,B}.json`.
///
/// `*` and `?` stand for characters within one part of the name, `**` as a whole part for any number of parts, and
/// `{a,b}` for one of several texts. Matching is case-sensitive, as in archives; composed and decomposed letters, which
/// macOS writes, are the same.
package struct EntryPattern: Sendable, Equatable {
    /// As it was written.
    package let text: String
    /// The patterns that it expands to, without braces, in parts.
    private let choices: [[Substring]]

    /// How many patterns the braces of one may expand to.
    private static let limit = 64
    /// The maximum number of `**` in a pattern, and of parts in a name, so that backtracking is cheap whatever the names.
    private static let mostOfAny = 2
    private static let mostParts = 64

    /// Reads a pattern; `nil` if it is invalid: an absolute name, an empty part, braces that do not close or expand to too many.
    package init?(_ text: String) {
        guard let spelled = Self.spelled(text[...]), !text.isEmpty, text.utf8.count <= 1000 else { return nil }
        let choices = spelled.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
        guard choices.allSatisfy({ $0.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." } }),
            choices.allSatisfy({ $0.count { $0 == "**" } <= Self.mostOfAny })
        else { return nil }
        self.text = text
        self.choices = choices
    }

    /// Whether it matches an entry's name.
    package func matches(_ name: String) -> Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count <= Self.mostParts && choices.contains { Self.matches($0[...], parts[...]) }
    }

    /// The expansion of the braces, outermost first.
    private static func spelled(_ text: Substring) -> [String]? {
        guard let open = text.firstIndex(where: { $0 == "{" || $0 == "}" }) else { return [String(text)] }
        guard text[open] == "{" else { return nil }
        var (depth, start) = (0, text.index(after: open))
        var parts: [Substring] = []
        var at = open
        while at < text.endIndex {
            switch text[at] {
            case "{": depth += 1
            case "}":
                depth -= 1
                if depth == 0 {
                    parts.append(text[start..<at])
                    var all: [String] = []
                    guard let rest = spelled(text[text.index(after: at)...]) else { return nil }
                    for part in parts {
                        guard let inner = spelled(part) else { return nil }
                        for middle in inner { all += rest.map { text[..<open] + middle + $0 } }
                        if all.count > limit { return nil }
                    }
                    return all
                }
            case "," where depth == 1:
                parts.append(text[start..<at])
                start = text.index(after: at)
            default: break
            }
            at = text.index(after: at)
        }
        return nil
    }

    /// Whether parts match.
    private static func matches(_ pattern: ArraySlice<Substring>, _ name: ArraySlice<Substring>) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        if first == "**" {
            let rest = pattern.dropFirst()
            if rest.first == "**" { return matches(rest, name) }
            return (name.startIndex...name.endIndex).contains { matches(rest, name[$0...]) }
        }
        guard let part = name.first, fits(Array(first), Array(part)) else { return false }
        return matches(pattern.dropFirst(), name.dropFirst())
    }

    /// Whether one part matches: with a single backtracking point, so that it takes at most the product of both lengths.
    /// Characters are compared, not scalars: they are equal if they are canonically equivalent.
    private static func fits(_ pattern: [Character], _ text: [Character]) -> Bool {
        var (at, place) = (0, 0)
        var back: (pattern: Int, text: Int)?
        while place < text.count {
            if at < pattern.count, pattern[at] == "*" {
                back = (at, place)
                at += 1
            } else if at < pattern.count, pattern[at] == "?" || pattern[at] == text[place] {
                (at, place) = (at + 1, place + 1)
            } else if let (star, from) = back {
                back = (star, from + 1)
                (at, place) = (star + 1, from + 1)
            } else {
                return false
            }
        }
        return pattern[at...].allSatisfy { $0 == "*" }
    }
}
