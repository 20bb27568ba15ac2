internal import JQ
internal import LosslessJSON

/// Runs programs on the records of one document, one record after another. A record is converted for the engine at most once,
/// and only if the engine needs it.
final class RecordEngine {
    /// What programs see besides a record.
    struct Globals {
        var all: JQGlobals
        /// `map` also sees the bounds of the request.
        var bounded: JQGlobals
    }

    let document: JSONDocument
    private let globals: Globals
    private let workspace: JQWorkspace
    private let limits: JQLimits
    private var latest: (node: Int, input: JQInput)?

    init(_ document: JSONDocument, _ globals: Globals, _ limits: JQLimits, _ workspace: JQWorkspace) {
        self.limits = limits
        self.document = document
        self.globals = globals
        self.workspace = workspace
    }

    func input(_ node: Int) -> JQInput {
        if let latest, latest.node == node { return latest.input }
        let input = JQInput(JSONView(document: document, node: node))
        latest = (node, input)
        return input
    }

    /// See `JQProgram.cover`.
    func cover(_ program: JQProgram, _ node: Int, seesBounds: Bool) {
        program.cover(input(node), globals: seesBounds ? globals.bounded : globals.all)
    }

    /// An interruption is not the fault of the record: a caller that catches an error checks whether the task is cancelled.
    func run(_ program: JQProgram, _ node: Int, seesBounds: Bool) throws(JQError) -> [JQOutput] {
        try program.run(
            input(node),
            globals: seesBounds ? globals.bounded : globals.all,
            limits: limits,
            workspace: workspace
        )
    }
}
