internal import JQ
internal import LosslessJSON

/// One record of a page as programs see it.
struct RawRecord {
    let cursor: JSONCursor
    var node: Int
    let engine: RecordEngine

    /// What `.` gives.
    var output: JQOutput { JQOutput(engine.input(node)) }

    /// A value of the record as an owned tree.
    func value(of node: Int) -> JSONValue { JSONView(document: engine.document, node: node).value }

    /// How many characters of the record as a whole a PDA's database would refuse.
    var repairs: Int {
        guard JSONView(document: engine.document, node: node).mayNeedRepairs else { return 0 }
        var scratch = CanonicalJSON()
        scratch.append(cursor, node)
        return scratch.repaired
    }

    /// Runs a program on the record.
    func run(_ program: JQProgram, as name: String) throws(RecordFailure) -> [JQOutput] {
        do throws(JQError) { return try engine.run(program, node) } catch {
            throw RecordFailure("\(name)-failed", "'\(name)' failed: \(error.withoutValues)")
        }
    }
}

/// Runs programs on the records of one document, one record after another. A record's form for the engine is made at most
/// once, and only for the engine.
final class RecordEngine {
    /// An interruption is no fault of the record: whoever catches an error looks whether the task is cancelled.
    private static let limits = JQLimits(stopsWhenCancelled: true)

    let document: JSONDocument
    private let globals: JQGlobals
    private let workspace: JQWorkspace
    private var latest: (node: Int, input: JQInput)?

    init(_ document: JSONDocument, _ globals: JQGlobals, _ workspace: JQWorkspace) {
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

    func run(_ program: JQProgram, _ node: Int) throws(JQError) -> [JQOutput] {
        try program.run(input(node), globals: globals, limits: Self.limits, workspace: workspace)
    }
}
