internal import JQ
internal import LosslessJSON

/// One record of a page as programs see it.
struct RawRecord {
    let cursor: JSONCursor
    /// Which one: of all members, only this differs between the records of a document.
    var node: Int
    let engine: RecordEngine

    /// The value of `.`.
    var output: JQOutput { JQOutput(engine.input(node)) }

    /// A value of the record as an owned tree.
    func value(of node: Int) -> JSONValue { JSONView(document: engine.document, node: node).value }

    /// How many characters of the whole record a PDA's database would reject.
    var repairs: Int {
        guard JSONView(document: engine.document, node: node).mayNeedRepairs else { return 0 }
        var scratch = CanonicalJSON()
        scratch.append(cursor, node)
        return scratch.repaired
    }

    /// Lets a program note which members it meets in the record, if a caller wants to know.
    func cover(_ program: JQProgram, as kind: RecordProgram) {
        engine.cover(program, node, seesBounds: kind.seesBounds)
    }

    /// Runs a program on the record.
    func run(_ program: JQProgram, as kind: RecordProgram) throws(RecordFailure) -> [JQOutput] {
        do throws(JQError) { return try engine.run(program, node, seesBounds: kind.seesBounds) } catch {
            throw RecordFailure(kind.failed, "'\(kind.rawValue)' failed: \(error.withoutValues)", key: kind.rawValue)
        }
    }
}
