import JQ
import LosslessJSON

/// A program over pages or records that takes the short way over the tape where it is a path, and runs the engine else.
struct Selector: Sendable {
    let program: JQProgram
    let path: PlainPath?

    init(_ program: JQProgram) {
        self.program = program
        path = PlainPath(program.syntax)
    }

    /// The first output, `nil` where there is none.
    func first(of view: JSONView, _ globals: [JSONValue]) throws(JQError) -> JSONValue? {
        if let path, !path.iterates {
            switch view.document.withCursor({ path.target(from: view.node, $0) }) {
            case .node(let node): return JSONView(document: view.document, node: node).value
            case .missing: return .null
            case .unclear: break
            }
        }
        return try outputs(of: view, globals).first
    }

    /// All outputs, by the engine.
    func outputs(of view: JSONView, _ globals: [JSONValue]) throws(JQError) -> [JSONValue] {
        try program.run(view.value, globals: globals)
    }
}

extension JQError {
    /// What went wrong, without the values that jq quotes in parentheses: they are the person's data.
    var quotingNothing: String {
        var text = ""
        var depth = 0
        for character in message {
            if character == "(" { depth += 1 }
            if depth == 0 { text.append(character) }
            if character == ")", depth > 0 { depth -= 1 }
        }
        // A thrown text of the program's own may hold anything.
        let isEngine = ["Cannot", "null", "number", "string", "object", "array", "boolean", "the program"]
        return isEngine.contains { text.hasPrefix($0) } ? text.split(separator: " ").joined(separator: " ") : "it fails"
    }
}
