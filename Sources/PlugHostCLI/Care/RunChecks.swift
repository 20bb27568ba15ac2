internal import PlugStorage

/// The check of runs' sums: which plugs fail for everyone.
enum RunChecks {
    /// The number of a plug's runs that must fail before it is named: a single failure may be down to one person.
    private static let few = 3

    /// Looks at the runs that ended in this hour and the one before.
    static func look(_ store: any PlugStore, now: Int64) async throws -> CheckResult {
        let name = "runs"
        let hour = SummaryHour.of(now) - 1
        let plugs = try await store.runCounts(since: hour)
        let total = plugs.values.reduce(0) { $0 + $1.values.reduce(0, +) }
        guard total > 0 else { return .ok(name, "no run has ended in this hour or the one before") }
        var failing: [String] = []
        for (plug, outcomes) in plugs.sorted(by: { $0.key < $1.key }) where outcomes["done"] == nil {
            let errors = try await store.errorCounts(of: plug, since: hour, limit: 1)
            let count = outcomes.values.reduce(0, +)
            if count >= few, let error = errors.first {
                failing.append("\(plug) (\(count) runs, most by \(error.code))")
            }
        }
        let well = plugs.values.reduce(0) { $0 + ($1["done"] ?? 0) }
        let text = "\(well) of \(total) succeeded in this hour and the one before"
        guard !failing.isEmpty else { return .ok(name, text) }
        let more = failing.count > 3 ? ", and \(failing.count - 3) more" : ""
        return .warning(
            name,
            "\(text); none of \(failing.prefix(3).joined(separator: ", "))\(more)",
            cure: "'plughost explain CODE' says what each asks for, 'journalctl -u plughost' shows the messages"
        )
    }
}
