internal import JQ
internal import LosslessJSON

/// One record of a page as programs see it; the engine's form is made at most once, and only for the engine.
struct RawRecord {
    /// Where the engine's form is kept, so that the second program finds what the first has made, and the engine's storage.
    /// One serves all records of a page, one after another.
    final class Owned {
        fileprivate var input: JQInput?
        fileprivate let workspace = JQWorkspace()
    }

    /// An interruption is no fault of the record: whoever catches an error looks whether the task is cancelled.
    private static let limits = JQLimits(stopsWhenCancelled: true)

    let cursor: JSONCursor
    let node: Int
    let view: JSONView
    let globals: JQGlobals
    private let owned: Owned

    init(cursor: JSONCursor, view: JSONView, globals: JQGlobals, owned: Owned) {
        owned.input = nil
        self.owned = owned
        self.cursor = cursor
        self.view = view
        self.globals = globals
        node = view.node
    }

    /// The record as the engine takes it.
    private var input: JQInput {
        if let input = owned.input { return input }
        let input = JQInput(view)
        owned.input = input
        return input
    }

    /// What `.` gives.
    var output: JQOutput { JQOutput(input) }

    /// How many characters of the record as a whole a PDA's database would refuse.
    var repairs: Int {
        guard view.mayNeedRepairs else { return 0 }
        var scratch = CanonicalJSON()
        scratch.append(cursor, node)
        return scratch.repaired
    }

    /// Runs a program on the record.
    func run(_ program: JQProgram, as name: String) throws(RecordFailure) -> [JQOutput] {
        do throws(JQError) {
            return try program.run(input, globals: globals, limits: Self.limits, workspace: owned.workspace)
        } catch {
            throw RecordFailure("\(name)-failed", "'\(name)' failed: \(error.withoutValues)")
        }
    }
}
