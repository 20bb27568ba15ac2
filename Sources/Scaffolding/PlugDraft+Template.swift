import LosslessJSON

extension PlugDraft {
    /// A plug for a list with tokens for the next page, as most services have.
    package static func template(id: String) -> PlugDraft {
        func thing(_ number: Int) -> JSONValue {
            .members(
                ("id", .integer(number)),
                ("title", .text("Thing \(number)")),
                ("url", .text("https://\(id).example/things/\(number)")),
                ("created_at", .text("2026-11-2\(number)T08:00:00Z")),
                ("updated_at", .text("2026-11-2\(number)T09:00:00Z"))
            )
        }
        return PlugDraft(
            id: id,
            name: id.prefix(1).uppercased() + id.dropFirst(),
            base: "https://api.\(id).example/v1",
            terms: "https://\(id).example/terms",
            questions: [Question(key: "token", title: "Token", isSecret: true, answer: .text("fixture-token"))],
            auth: "{bearer: {token: \"{{ config.token }}\"}}",
            stream: "things",
            path: "/things",
            query: [("limit", "100")],
            records: ".items",
            paging: .cursor(from: ".next", parameter: "cursor"),
            key: ".id",
            version: ".updated_at",
            members: [
                Member(name: "id", program: "(.id | tostring)"), Member(name: "title", program: ".title"),
                Member(name: "url", program: ".url"), Member(name: "createdAt", program: ".created_at", cast: "time"),
                Member(name: "updatedAt", program: ".updated_at", cast: "time"),
            ],
            examples: [thing(1), thing(2)],
            answer: .object(path: ["items"], others: .members(("next", .null)))
        )
    }
}
