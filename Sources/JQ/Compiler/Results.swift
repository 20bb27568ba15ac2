/// Marks members of objects that are a program's output, so that the engine need not open what it never examines.
enum Results {
    static func marked(_ context: Context) -> [Instruction] {
        var marked = context.instructions
        for (object, members) in context.plainMembers where isOutput(marked, object + 1) {
            for at in members {
                switch marked[at] {
                case .indexConstant(let key): marked[at] = .writtenIndexConstant(key)
                case .copyIndex(let depth, let key): marked[at] = .writtenCopyIndex(depth: depth, key)
                default: break
                }
            }
        }
        return marked
    }

    /// Whether nothing follows but the end of the program.
    private static func isOutput(_ instructions: [Instruction], _ start: Int) -> Bool {
        var at = start
        while at < instructions.count {
            switch instructions[at] {
            case .emit: return true
            case .jump(let jump) where jump > 0: at += Int(jump)
            default: return false
            }
        }
        return false
    }
}
