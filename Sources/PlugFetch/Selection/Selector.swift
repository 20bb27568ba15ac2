import JQ
import LosslessJSON
import PlugCore

/// A program over pages or records: a path is evaluated directly on the tape, anything else by the engine.
struct Selector: Sendable {
    let program: JQProgram
    let path: JQPath?

    init(_ program: JQProgram) {
        self.program = program
        path = JQPath(program)
    }

    /// The first output, `nil` if there is none.
    func first(of view: JSONView, _ globals: [JSONValue]) throws(JQError) -> JSONValue? {
        if let path, !path.iterates {
            program.cover(JQInput(view), globals: JQGlobals(globals))
            switch view.document.withCursor({ path.resolve($0, view.node) }) {
            case .node(let node): return JSONView(document: view.document, node: node).value
            case .missing: return .null
            case .unfit: break
            }
        }
        return try outputs(of: view, globals).first?.json
    }

    /// Says that an object on the path has its member twice: readers of JSON differ on which of the two counts.
    func repeatedMember(in view: JSONView) -> String? { path?.repeatedMember(in: view) }

    /// All outputs, by the engine.
    func outputs(of view: JSONView, _ globals: [JSONValue]) throws(JQError) -> [JQOutput] {
        try program.run(JQInput(view), globals: JQGlobals(globals))
    }
}

extension JQPath {
    /// The same, of a path with or without `[]`.
    func repeatedMember(in view: JSONView) -> String? {
        view.document.withCursor { repeatedMember($0, view.node) }
            .map { "the member '\(DisplayText.escaped(String($0.prefix(100))))', to which it leads, appears twice" }
    }
}
