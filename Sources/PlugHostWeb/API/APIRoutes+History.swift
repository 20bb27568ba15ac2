internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

// The history of connections: routes, response bodies and their schemas.

extension APIRoutes {
    var historyRoutes: [HostRoute] {
        let store = store
        return [
            HostRoute(
                .get,
                "/api/v1/connections/{connection}/runs",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "listRuns",
                    "Lists the runs of a connection, newest first.",
                    query: [.limit(Self.pageLimit)],
                    answers: [.init(status: 200, summary: "The newest runs.", schema: "RunList")],
                    errors: [400, 404]
                )
            ) { request in
                let runs = try await store.runs(of: request.namedConnection().id, limit: Self.limit(request))
                return .json(.members(("runs", .array(runs.map(\.summary)))))
            },
            HostRoute(
                .get,
                "/api/v1/connections/{connection}/dead-letters",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "countDeadLetters",
                    "Counts the records of a connection that could not be delivered. Their content is not shown here.",
                    answers: [.init(status: 200, summary: "The counts.", schema: "DeadLetters")],
                    errors: [404]
                )
            ) { request in
                let size = try await store.deadLetterSize(of: request.namedConnection().id)
                return .json(.members(("letters", .integer(size.letters)), ("bytes", .integer(size.bytes))))
            },
            HostRoute(
                .get,
                "/api/v1/connections/{connection}/audit",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "listChanges",
                    "Lists who has changed a connection and when, newest first; the last 200 changes are kept.",
                    answers: [.init(status: 200, summary: "The changes.", schema: "ChangeList")],
                    errors: [404]
                )
            ) { request in
                .json(try await store.audit(of: request.namedConnection().id).apiValue)
            },
            HostRoute(
                .get,
                "/api/v1/audit",
                [.key(.connectionsRead)],
                operation: APIOperation(
                    "listHostChanges",
                    "Lists who has made, used and removed API keys and links for operators, newest first; the last 500 are kept.",
                    answers: [.init(status: 200, summary: "The changes.", schema: "ChangeList")]
                )
            ) { _ in .json(try await store.hostAudit().apiValue) },
        ]
    }

    static let historySchemas = """
        {
          "Run": {
            "type": "object", "additionalProperties": false,
            "required": ["id", "connection", "plug_version", "began", "ended", "outcome", "error"],
            "properties": {
              "id": {"type": "integer"}, "connection": {"type": "string"}, "plug_version": {"type": "string"},
              "began": {"$ref": "#/components/schemas/Time"}, "ended": {"$ref": "#/components/schemas/MaybeTime"},
              "outcome": {"type": ["string", "null"]}, "error": {"type": ["object", "null"]}
            }
          },
          "RunList": {
            "type": "object", "required": ["runs"], "additionalProperties": false,
            "properties": {"runs": {"type": "array", "items": {"$ref": "#/components/schemas/Run"}}}
          },
          "DeadLetters": {
            "type": "object", "required": ["letters", "bytes"], "additionalProperties": false,
            "properties": {"letters": {"type": "integer"}, "bytes": {"type": "integer"}}
          },
          "ChangeList": {
            "type": "object", "required": ["changes"], "additionalProperties": false,
            "properties": {
              "changes": {
                "type": "array",
                "items": {
                  "type": "object", "required": ["at", "who", "what"], "additionalProperties": false,
                  "properties": {
                    "at": {"$ref": "#/components/schemas/Time"}, "who": {"type": "string"}, "what": {"type": "string"}
                  }
                }
              }
            }
          }
        }
        """
}

extension [AuditEntry] {
    /// The form of a page of changes.
    var apiValue: JSONValue {
        let entries = map { entry in
            JSONValue.members(
                ("at", .text(Timestamp(microseconds: entry.at).rfc3339)),
                ("who", .text(entry.who)),
                ("what", .text(entry.what))
            )
        }
        return .members(("changes", .array(entries)))
    }
}
