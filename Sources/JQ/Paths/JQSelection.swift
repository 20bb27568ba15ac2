package import LosslessJSON

/// A program that only filters records, such as `.items[] | select(.kind == "a")`: the records are found over the tape.
package struct JQSelection: Sendable {
    /// Where the records are.
    private let path: JQPath
    /// The conditions that each of them must meet.
    private let conditions: [JQCondition]

    /// The selection that a program is, `nil` if it is anything else, or just a path.
    package init?(_ program: JQProgram) {
        guard program.coverage == nil else { return nil }
        var steps = PathSteps()
        var conditions: [JQCondition] = []
        for stage in program.syntax.stages {
            if conditions.isEmpty, let path = JQPath(stage) {
                steps = steps + path.steps
            } else if case .call("select", let arguments) = stage.node, arguments.count == 1,
                let condition = JQCondition(arguments[0])
            {
                conditions.append(condition)
            } else {
                return nil
            }
        }
        if conditions.isEmpty { return nil }
        self.init(JQPath(steps), conditions)
    }

    /// Whether it selects among its inputs, and not among anything inside them.
    var isOfItself: Bool { path.isIdentity }

    private init(_ path: JQPath, _ conditions: [JQCondition]) { (self.path, self.conditions) = (path, conditions) }

    /// The same selection from each element of a list.
    package var ofEach: JQSelection {
        var steps = PathSteps()
        steps.appendEach()
        return JQSelection(JQPath(steps + path.steps), conditions)
    }

    /// The same selection from a piece of the list at these members; `nil` if it does not iterate over the elements of that list.
    package func ofPiece(at names: [String]) -> JQSelection? {
        path.inList(at: names).map { JQSelection($0, conditions) }
    }

    /// The selected objects, in order; `nil` if the engine has to decide: if the program would fail, or one of the values that it
    /// examines is not an object.
    package func objects(_ cursor: JSONCursor, _ node: Int) -> [Int]? {
        var nodes: [Int] = []
        var isDecided = true
        let isFit = path.forEach(cursor, node) { node in
            guard isDecided else { return }
            guard let node, cursor.kind(node) == .object, let holds = holds(cursor, node) else {
                isDecided = false
                return
            }
            if holds { nodes.append(node) }
        }
        return isFit && isDecided ? nodes : nil
    }

    private func holds(_ cursor: JSONCursor, _ node: Int) -> Bool? {
        for condition in conditions {
            guard let holds = condition.holds(cursor, node) else { return nil }
            if !holds { return false }
        }
        return true
    }
}

extension JQProgram {
    /// Whether each of its outputs is its input: it is `.`, or selects.
    package var changesNothing: Bool {
        JQPath(self)?.isIdentity == true || JQSelection(self)?.isOfItself == true
    }
}
