internal import LosslessJSON

/// The list that a program iterates over, if it gives the same for the whole list at once as for one piece after another:
/// `.items`, `.items[] | select(.a)`, `.items // []`, `.items | map(.a)`. A list of gigabytes can then be read in pieces.
package struct JQChunks: Sendable, Equatable {
    /// The members that lead to the list, outermost first.
    package let names: [String]
    /// Whether each output comes from one element, `.items[] | .a`: otherwise there is one list for all of them.
    package let isEach: Bool

    /// The list of a program; `nil` for one that needs all of it, such as `.items | length`.
    package init?(_ program: JQProgram) {
        // `[.a[]]` gives one list, whose elements are the records, as `.a[]` does.
        if case .array(let inner?) = program.syntax.node, let found = Self.find(inner), found.isEach {
            (names, isEach) = (found.names, false)
            return
        }
        guard let found = Self.find(program.syntax) else { return nil }
        (names, isEach) = (found.names, found.isEach)
    }

    private struct Found {
        var names: [String] = []
        /// Whether each of its outputs comes from one element; otherwise its output is the list itself.
        var isEach = false
        /// Whether its output is certainly a list, which has no members.
        var isMapped = false
    }

    private static func find(_ syntax: JQSyntax) -> Found? {
        switch syntax.node {
        case .identity: return Found()
        case .index(let target, let key):
            guard var found = find(target) else { return nil }
            // After `[]` every step applies to one element. A computed key would read the whole input.
            if found.isEach { return isConstant(key) ? found : nil }
            guard !found.isMapped, case .literal(.string(let name)) = key.node else { return nil }
            found.names.append(name.text)
            return found
        case .iterate(let target):
            guard var found = find(target) else { return nil }
            found.isEach = true
            return found
        case .slice(let target, let from, let to):
            guard let found = find(target), found.isEach else { return nil }
            return [from, to].compactMap(\.self).allSatisfy(isConstant) ? found : nil
        case .attempt(let inner):
            // An error in one element would drop all of them, or all of its piece.
            guard let found = find(inner), !found.isMapped else { return nil }
            return found
        case .alternative(let list, let other):
            // `.items[] // x` gives x only if no element is true, which a piece does not know.
            guard let found = find(list), !found.isEach, case .array(nil) = other.node else { return nil }
            return found
        case .pipe(let first, let second):
            guard var found = find(first) else { return nil }
            if found.isEach { return found }
            guard let rest = find(second), !found.isMapped || rest.names.isEmpty else { return nil }
            found.names += rest.names
            (found.isEach, found.isMapped) = (rest.isEach, found.isMapped || rest.isMapped)
            return found
        case .call("map", let arguments) where arguments.count == 1: return Found(isMapped: true)
        default: return nil
        }
    }

    private static func isConstant(_ syntax: JQSyntax) -> Bool {
        switch syntax.node {
        case .literal: true
        case .negation(let inner): isConstant(inner)
        default: false
        }
    }
}
