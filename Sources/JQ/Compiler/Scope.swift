/// What a name means at a place; scopes are linked from the inside out.
final class Scope {
    enum Entry {
        case variable(String, Context, Int32)
        case definition(DefinitionEntry)
        /// A parameter of an inlined definition: the argument itself, in the caller's scope.
        case inlined(String, JQSyntax, Scope?, Origin)
        /// A parameter of a real call.
        case parameter(String, Context, Int32)
        case label(String, Context, Int32)
    }

    let entry: Entry
    let outer: Scope?

    init(_ entry: Entry, in outer: Scope?) {
        self.entry = entry
        self.outer = outer
    }
}

/// Code whose variables share a frame.
final class Context {
    let depth: Int32
    var instructions: [Instruction] = []
    var offsets: [Int32] = []
    var slots: Int32 = 0
    /// For each object construction, the positions of members that are plain indexes.
    var plainMembers: [(object: Int, members: [Int])] = []

    init(depth: Int32) { self.depth = depth }

    func slot(_ count: Int32 = 1) -> Int32 {
        slots += count
        return slots - count
    }
}

/// A definition and its place.
final class DefinitionEntry {
    let definition: JQSyntax.Definition
    let context: Context
    let origin: Origin
    var scope: Scope?
    var unit: Int32?
    let isRecursive: Bool

    init(_ definition: JQSyntax.Definition, _ context: Context, _ scope: Scope?, _ origin: Origin) {
        self.definition = definition
        self.context = context
        self.scope = scope
        self.origin = origin
        var isRecursive = false
        definition.body.visit { syntax in
            if case .call(definition.name, let arguments) = syntax.node,
                arguments.count == definition.parameters.count
            {
                isRecursive = true
            }
        }
        self.isRecursive = isRecursive
    }
}

/// Which text a part of the tree comes from.
enum Origin {
    /// The user's program.
    case program
    /// The prelude's; errors and problems are attributed to the user's call, at this place.
    case prelude(Range<Int>)
}
