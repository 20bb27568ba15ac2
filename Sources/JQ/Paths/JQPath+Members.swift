extension JQPath {
    /// The names of a path that consists of members only; `nil` for any other path.
    package var memberNames: [String]? {
        var names: [String] = []
        for step in steps.list {
            guard step.kind == .member else { return nil }
            names.append(String(decoding: steps.keys[step.start..<step.end], as: UTF8.self))
        }
        return names
    }

    /// Whether it is the elements of the list at these members: `.a.b[]`.
    package func isElements(of names: [String]) -> Bool {
        guard steps.list.last?.kind == .each else { return false }
        return JQPath(steps.prefix(steps.list.count - 1)).memberNames == names
    }

    /// What it does with the list at these members, `nil` if it does not iterate over its elements.
    func inList(at names: [String]) -> JQPath? {
        guard steps.list.count > names.count, steps.list[names.count].kind == .each,
            JQPath(steps.prefix(names.count)).memberNames == names
        else { return nil }
        var rest = PathSteps()
        rest.append(steps.list[names.count...], of: steps)
        return JQPath(rest)
    }
}
