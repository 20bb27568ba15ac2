import JQ
import LosslessJSON

/// A program made only of member, element and iteration steps, walked over a document's tape without the engine.
struct PlainPath: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        /// `.a`, by the key's UTF-8.
        case key([UInt8])
        /// `.[0]`
        case index(Int)
        /// `.[]`
        case iterate
    }

    /// Where a path without iteration leads.
    enum Target: Equatable {
        case node(Int)
        /// jq's `null`: a member or an element that is not there.
        case missing
        /// Only the engine knows what happens here, an error as a rule.
        case unclear
    }

    let steps: [Step]
    let iterates: Bool

    /// `nil` for a program that is more than a path.
    init?(_ syntax: JQSyntax) {
        guard let steps = Self.steps(of: syntax) else { return nil }
        self.steps = steps
        iterates = steps.contains(.iterate)
    }

    private static func steps(of syntax: JQSyntax) -> [Step]? {
        switch syntax.node {
        case .identity: return []
        case .iterate(let target): return steps(of: target).map { $0 + [.iterate] }
        case .pipe(let first, let second):
            guard let head = steps(of: first), let tail = steps(of: second) else { return nil }
            return head + tail
        case .index(let target, let key):
            guard let head = steps(of: target), case .literal(let literal) = key.node else { return nil }
            if let name = literal.stringText { return head + [.key(Array(name.utf8))] }
            guard let number = literal.number, let index = Int(number.text), index >= 0 else { return nil }
            return head + [.index(index)]
        default: return nil
        }
    }

    /// Follows a path without iteration from a node.
    func target(from node: Int, _ cursor: JSONCursor) -> Target {
        var current = node
        for step in steps {
            switch take(step, at: current, cursor) {
            case .node(let next): current = next
            case .missing: return .missing
            case .unclear: return .unclear
            }
        }
        return cursor.kind(current) == .null ? .missing : .node(current)
    }

    /// All values that a path with iteration leads to, in order; `nil` where the engine has to say.
    func targets(from node: Int, _ cursor: JSONCursor) -> [Int]? {
        var current = [node]
        for step in steps {
            var following: [Int] = []
            for node in current {
                if step == .iterate {
                    // An object's repeated keys count once, which the tape does not know.
                    guard cursor.kind(node) == .array else { return nil }
                    var element = cursor.first(in: node)
                    while let at = element {
                        following.append(at)
                        element = cursor.next(after: at)
                    }
                } else {
                    guard case .node(let next) = take(step, at: node, cursor) else { return nil }
                    following.append(next)
                }
            }
            current = following
        }
        return current
    }

    private func take(_ step: Step, at node: Int, _ cursor: JSONCursor) -> Target {
        let kind = cursor.kind(node)
        if kind == .null { return step == .iterate ? .unclear : .missing }
        switch step {
        case .key(let key):
            guard kind == .object else { return .unclear }
            return key.withUnsafeBufferPointer { cursor.member(node, $0) }.map { .node($0) } ?? .missing
        case .index(let index):
            guard kind == .array else { return .unclear }
            var element = cursor.first(in: node)
            for _ in 0..<index {
                guard let current = element else { break }
                element = cursor.next(after: current)
            }
            return element.map { .node($0) } ?? .missing
        case .iterate: return .unclear
        }
    }
}
