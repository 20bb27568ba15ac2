internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import PlugStorage
internal import Syncing

/// Which streams a person wants, and how far back.
struct StreamChoice: Sendable {
    static let fromName = "from"
    private static let name = "streams"
    private static let times: Set<Since.Kind> = [.time, .date, .epoch, .epochMilliseconds]
    private let offered: [Stream]
    private let plan: ConnectionPlan

    /// The choices for a connection, and the current ones.
    init(_ connection: Connection, _ manifest: Manifest, in store: any PlugStore) async throws {
        // A host reads no files for connections.
        offered = manifest.streams.filter { $0.path != nil && $0.archive == nil }
        let setup = try await store.setup(of: connection.id)
        plan =
            try setup.map { try ConnectionPlan(content: $0.content, of: connection.id) }
            ?? ConnectionPlan(config: JSONObject())
    }

    /// Checkboxes, if there is a choice.
    ///
    /// - Parameter given: The submitted form; `nil` for the current choice.
    func html(_ label: String = "What to copy", given: [(name: String, value: String)]?, problem: String?) -> HTML? {
        guard offered.count > 1 else { return nil }
        let chosen = given.map { Set($0.filter { $0.name == Self.name }.map(\.value)) }
        return FormField.checkboxes(
            Self.name,
            label,
            offered.map { ($0.name, Words.stream($0.name), $0.options.every.map(Words.every)) },
            chosen: chosen ?? plan.streams.map(Set.init) ?? Set(offered.map(\.name)),
            problem: problem
        )
    }

    /// The streams that a form names; `nil` for all.
    ///
    /// - Throws: `PlugError` if none was chosen.
    func streams(of form: [(name: String, value: String)]) throws(PlugError) -> [String]? {
        guard offered.count > 1 else { return nil }
        let given = Set(form.filter { $0.name == Self.name }.map(\.value))
        let chosen = offered.map(\.name).filter(given.contains)
        if chosen.isEmpty { throw PlugError(.streamsUnchosen, "choose at least one") }
        return chosen.count == offered.count ? nil : chosen
    }

    /// The question of how far back to read, if any stream knows the time of its records.
    func fromField(given: String?, problem: String?) -> HTML? {
        guard offered.contains(where: { $0.since.map { Self.times.contains($0.type) } == true }) else { return nil }
        return FormField.text(
            Self.fromName,
            "How far back",
            value: given ?? plan.from ?? "",
            hint: "The first day to copy. If you leave it empty, the plug decides.",
            problem: problem,
            type: "date",
            isRequired: false
        )
    }

    /// The day in a form: `.some(nil)` for none, `nil` if the question was not asked.
    ///
    /// - Throws: `PlugError` if it is not a day.
    func from(of form: [(name: String, value: String)]) throws(PlugError) -> String?? {
        guard let text = form.first(where: { $0.name == Self.fromName })?.value else { return nil }
        if text.isEmpty { return .some(nil) }
        try FirstDay.check(text)
        return .some(text)
    }
}
