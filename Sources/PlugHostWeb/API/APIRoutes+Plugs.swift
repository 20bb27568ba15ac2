internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import Syncing

// Plugs: routes, response bodies and their schemas.

extension APIRoutes {
    var plugRoutes: [HostRoute] {
        let plugs = plugs
        return [
            HostRoute(
                .get,
                "/api/v1/plugs",
                [.key(.plugsRead)],
                operation: APIOperation(
                    "listPlugs",
                    "Lists the plugs that the host serves.",
                    answers: [.init(status: 200, summary: "The plugs.", schema: "PlugList")]
                )
            ) { _ in
                let list = plugs.current.manifests.values.sorted { $0.id < $1.id }
                let current = plugs.current
                return .json(.members(("plugs", .array(try list.map { try $0.apiValue(current) }))))
            },
            HostRoute(
                .get,
                "/api/v1/plugs/{plug}",
                [.key(.plugsRead)],
                operation: APIOperation(
                    "showPlug",
                    "Shows what a plug asks for, and which streams it has.",
                    answers: [.init(status: 200, summary: "The plug.", schema: "Plug")],
                    errors: [404]
                )
            ) { request in
                guard let manifest = plugs.current.manifests[request.parameter("plug")] else {
                    throw HostRefusal.routeUnknown
                }
                return .json(try manifest.apiValue(plugs.current))
            },
        ]
    }

    static let plugSchemas = """
        {
          "Field": {
            "type": "object", "required": ["name", "type", "title", "secret", "required", "default", "choices"],
            "additionalProperties": false,
            "properties": {
              "name": {"type": "string"},
              "type": {"enum": ["string", "integer", "number", "boolean", "date", "host", "list"]},
              "title": {"type": ["string", "null"]}, "secret": {"type": "boolean"}, "required": {"type": "boolean"},
              "default": {},
              "choices": {"type": "array"}
            }
          },
          "Plug": {
            "type": "object", "required": ["plug", "version", "missing", "config", "streams"], "additionalProperties": false,
            "properties": {
              "missing": {
                "description": "What this host lacks for connections of the plug; null if nothing: then it can be connected.",
                "oneOf": [
                  {
                    "type": "object", "required": ["code", "message", "advice"], "additionalProperties": false,
                    "properties": {
                      "code": {"type": "string"}, "message": {"type": "string"}, "advice": {"type": ["string", "null"]}
                    }
                  },
                  {"type": "null"}
                ]
              },
              "plug": {"type": "string"}, "version": {"type": "string"},
              "config": {"type": "array", "items": {"$ref": "#/components/schemas/Field"}},
              "streams": {
                "type": "array",
                "items": {
                  "type": "object", "required": ["stream", "path"], "additionalProperties": false,
                  "properties": {"stream": {"type": "string"}, "path": {"type": "string"}}
                }
              }
            }
          },
          "PlugList": {
            "type": "object", "required": ["plugs"], "additionalProperties": false,
            "properties": {"plugs": {"type": "array", "items": {"$ref": "#/components/schemas/Plug"}}}
          }
        }
        """
}

extension Manifest {
    /// The questions that a program must answer to connect a plug, and what the host lacks for it.
    func apiValue(_ host: HostPlugs.Content) throws -> JSONValue {
        let missing = try host.lack(of: self).map { lack in
            JSONValue.members(
                ("code", .text(lack.error.code.text)),
                ("message", .text(lack.error.message)),
                ("advice", lack.error.advice.map { .text($0) } ?? .null)
            )
        }
        return .members(
            ("plug", .text(id)),
            ("version", .text(version)),
            ("missing", missing ?? .null),
            (
                "config",
                .array(
                    // Callers cannot name files on the host's disk.
                    config.filter { $0.type != .file }.map { field in
                        .members(
                            ("name", .text(field.name)),
                            ("type", .text(field.type.rawValue)),
                            ("title", field.title.map { .text($0) } ?? .null),
                            ("secret", .bool(field.isSecret)),
                            ("required", .bool(field.isRequired)),
                            ("default", field.default ?? .null),
                            ("choices", .array(field.choices))
                        )
                    }
                )
            ),
            (
                "streams",
                .array(
                    streams.compactMap { stream in
                        stream.path.map { path in
                            .members(("stream", .text(stream.name)), ("path", .text("\(path)")))
                        }
                    }
                )
            )
        )
    }
}
