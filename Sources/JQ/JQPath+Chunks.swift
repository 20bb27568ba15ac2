internal import LosslessJSON

extension JQPath {
    /// Where a program finds the list that it goes through, if it gives the same for the whole list at once as for one piece of
    /// it after another: `.items`, `.items[] | select(.a)`, `.items // []`, `.items | map(.a)`. A list of gigabytes can then be
    /// read in pieces. `nil` for any other program, such as `.items | length`.
    package static func ofChunks(_ program: JQProgram) -> JQPath? {
        // `[.a[]]` gives one list, whose elements are the records, as `.a[]` does.
        if case .array(let inner?) = program.syntax.node, let found = chunks(inner), found.isEach {
            return JQPath(found.steps)
        }
        guard let found = chunks(program.syntax) else { return nil }
        return JQPath(found.steps)
    }

    /// The names that a path of members is made of; `nil` for any other path.
    package var memberNames: [String]? {
        var names: [String] = []
        for step in steps.list {
            guard step.kind == .member else { return nil }
            names.append(String(decoding: steps.keys[step.start..<step.end], as: UTF8.self))
        }
        return names
    }

    /// Whether it is the elements of the list that these members lead to: `.a.b[]`.
    package func isElements(of names: [String]) -> Bool {
        guard steps.list.last?.kind == .each else { return false }
        return JQPath(steps.prefix(steps.list.count - 1)).memberNames == names
    }

    /// What it does with the list that these members lead to, `nil` where it does not go through its elements.
    func inList(at names: [String]) -> JQPath? {
        guard steps.list.count > names.count, steps.list[names.count].kind == .each,
            JQPath(steps.prefix(names.count)).memberNames == names
        else { return nil }
        var rest = PathSteps()
        rest.append(steps.list[names.count...], of: steps)
        return JQPath(rest)
    }

    /// Where a program's list is.
    private struct Chunks {
        var steps = PathSteps()
        /// Whether its outputs are made of one element each; otherwise its output is the list itself.
        var isEach = false
        /// Whether that is a list for certain, which has no members.
        var isMapped = false
    }

    private static func chunks(_ syntax: JQSyntax) -> Chunks? {
        switch syntax.node {
        case .identity: return Chunks()
        case .index(let target, let key):
            guard var found = chunks(target) else { return nil }
            // Behind `[]` every step is one of an element.
            if found.isEach { return found }
            guard !found.isMapped, case .literal(.string(let name)) = key.node else { return nil }
            found.steps.append(member: Array(name.text.utf8))
            return found
        case .iterate(let target):
            guard var found = chunks(target) else { return nil }
            found.isEach = true
            return found
        case .slice(let target, _, _):
            guard let found = chunks(target), found.isEach else { return nil }
            return found
        case .attempt(let inner): return chunks(inner)
        case .alternative(let list, let other):
            // `.items[] // x` gives x only where no element is true, which a piece does not know.
            guard let found = chunks(list), !found.isEach, case .array(nil) = other.node else { return nil }
            return found
        case .pipe(let first, let second):
            guard var found = chunks(first) else { return nil }
            if found.isEach { return found }
            guard let rest = chunks(second), !found.isMapped || rest.steps.list.isEmpty else { return nil }
            found.steps = found.steps + rest.steps
            (found.isEach, found.isMapped) = (rest.isEach, found.isMapped || rest.isMapped)
            return found
        case .call("map", let arguments) where arguments.count == 1: return Chunks(isMapped: true)
        default: return nil
        }
    }
}
