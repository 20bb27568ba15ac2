import LosslessJSON

/// Recognises an answer that is an error in spite of its status: it has nothing that `records` selects, and itself reports a
/// failure. Taken for an empty page it would end a stream halfway.
struct ErrorAnswer: Sendable {
    private let records: RecordSelection
    private let globals: [JSONValue]

    /// Members that are present and not empty if something failed.
    private static let errors = ["error", "errors", "err", "fault", "exception"]
    /// Members that are `false` if something failed.
    private static let successes = ["ok", "success"]
    /// Members whose text reports the outcome.
    private static let outcomes = ["status", "stat", "result"]
    private static let failures: Set<String> = ["error", "fail", "failed", "failure"]

    /// - Parameter globals: What `records` sees besides an answer.
    init(_ records: RecordSelection, _ globals: [JSONValue]) { (self.records, self.globals) = (records, globals) }

    func isMet(in page: JSONDocument) -> Bool {
        guard Self.tellsOfFailure(page.root), !records.showsList(in: page) else { return false }
        do throws(RecordSelection.Failure) { return try records.records(of: page.root, globals).isEmpty } catch {
            // Any other failure is reported by an error of its own.
            return error == .missing
        }
    }

    private static func tellsOfFailure(_ root: JSONView) -> Bool {
        guard root.kind == .object else { return false }
        return errors.contains { name in root[name].map { isSomething($0.value) } ?? false }
            || successes.contains { name in root[name]?.value.bool == false }
            || outcomes.contains { name in
                root[name]?.value.stringText.map { failures.contains($0.lowercased()) } ?? false
            }
    }

    private static func isSomething(_ value: JSONValue) -> Bool {
        switch value {
        case .null, .bool(false): false
        case .bool: true
        case .number(let number): number.int64 != 0
        case .string(let text): !text.text.isEmpty
        case .array(let elements): !elements.isEmpty
        case .object(let object): !object.members.isEmpty
        }
    }
}
