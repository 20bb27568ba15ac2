internal import JQ
internal import LosslessJSON

/// One record of a page as programs see it; the owned form is built at most once, and only for the engine.
struct RawRecord {
    /// Where the owned form is kept, so that the second program finds what the first has built. One serves all records of
    /// a page, one after another.
    final class Owned {
        var value: JSONValue?
    }

    /// An interruption is no fault of the record: whoever catches an error looks whether the task is cancelled.
    private static let limits = JQLimits(stopsWhenCancelled: true)

    let cursor: JSONCursor
    let node: Int
    let view: JSONView
    let globals: [JSONValue]
    private let owned: Owned

    init(cursor: JSONCursor, view: JSONView, globals: [JSONValue], owned: Owned) {
        owned.value = nil
        self.owned = owned
        self.cursor = cursor
        self.view = view
        self.globals = globals
        node = view.node
    }

    /// The record as a tree.
    var value: JSONValue {
        if let value = owned.value { return value }
        let value = view.value
        owned.value = value
        return value
    }

    /// How many characters of the record as a whole a PDA's database would refuse.
    var repairs: Int {
        guard cursor.slice(node).contains(UInt8(ascii: "\\")) else { return 0 }
        var scratch = CanonicalJSON()
        scratch.append(cursor, node)
        return scratch.repaired
    }

    /// Runs a program on the record.
    func run(_ program: JQProgram, as name: String) throws(RecordFailure) -> [JSONValue] {
        do throws(JQError) { return try program.run(value, globals: globals, limits: Self.limits) } catch {
            throw RecordFailure("\(name)-failed", "'\(name)' failed: \(error.withoutValues)")
        }
    }
}
