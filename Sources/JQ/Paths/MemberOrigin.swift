internal import LosslessJSON

/// Where the member of an object that a program makes comes from, as far as this is known without running it.
package enum MemberOrigin: Sendable, Equatable {
    /// The program makes no such member, or a constant.
    case nowhere
    /// From the value at this path of the input.
    case path(JQPath)
    /// From anywhere.
    case unknown

    /// - Parameter program: The program that makes the object; `nil` for the input itself.
    package init(of member: String, in program: JQProgram?) {
        self =
            program.map { Self.origin(of: member, in: $0.syntax) } ?? .path(JQPath(member: member, below: PathSteps()))
    }

    private static func origin(of member: String, in syntax: JQSyntax) -> MemberOrigin {
        if let path = JQPath(syntax) { return .path(JQPath(member: member, below: path.steps)) }
        guard case .object(let entries) = syntax.node else { return .unknown }
        var origin = MemberOrigin.nowhere
        for entry in entries {
            guard case .literal(let key) = entry.key.node else { return .unknown }
            guard key.stringText == member else { continue }
            // The last one counts, but a comma in a value makes several objects.
            if case .literal = entry.value.node {
                origin = .nowhere
            } else {
                origin = JQPath(entry.value).map { .path($0) } ?? .unknown
            }
            if origin == .unknown { return .unknown }
        }
        return origin
    }

    /// Whether a program over the same input may read the member's value, or anything containing it.
    package func mayBeRead(by program: JQProgram) -> Bool {
        switch self {
        case .nowhere: false
        case .unknown: true
        case .path(let path): JQPath(program).map { $0.mayMeet(path) } ?? true
        }
    }
}

extension JQPath {
    fileprivate init(member: String, below steps: PathSteps) {
        var steps = steps
        steps.append(member: Array(member.utf8))
        self.init(steps)
    }

    /// Whether one of two paths may lead to the other's value, or into it.
    fileprivate func mayMeet(_ other: JQPath) -> Bool {
        for (left, right) in zip(steps.list, other.steps.list) where left.kind == .member && right.kind == .member {
            if steps.keys[left.start..<left.end] != other.steps.keys[right.start..<right.end] { return false }
        }
        return true
    }
}
