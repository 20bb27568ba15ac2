internal import JQ

/// A program that says yes or no to a record: `drop_if` or `deletes.field`.
struct RecordTest {
    private let program: JQProgram
    private let kind: RecordProgram
    /// The fast path, if there is one.
    private let condition: JQCondition?

    init(_ program: JQProgram, _ kind: RecordProgram) {
        self.program = program
        self.kind = kind
        condition = JQCondition(program)
    }

    /// Whether any output is true by jq's rules.
    func holds(_ record: RawRecord) throws(RecordFailure) -> Bool {
        if let holds = condition?.holds(record.cursor, record.node) { return holds }
        return try record.run(program, as: kind).contains(where: \.isTruthy)
    }
}
