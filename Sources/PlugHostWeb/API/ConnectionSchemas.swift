internal import PlugCore
internal import Scheduling

// What the routes of connections take and answer.

extension APIRoutes {
    private static let cron = CronExpression.pattern.replacing("\\", with: "\\\\")
    private static let zones = Set(NamedZone.names + ["UTC"]).sorted().map { "\"\($0)\"" }.joined(separator: ", ")

    static let connectionSchemas = """
        {
          "NewConnection": {
            "type": "object", "required": ["connection", "plug", "pda"], "additionalProperties": false,
            "properties": {
              "connection": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[^\\\\x00-\\\\x20/\\\\x7f]+$"},
              "plug": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$"},
              "pda": {
                "type": "string", "description": "The PDA's address, such as https://you.example.",
                "pattern": "^https?://(\(AddressPattern.host)|\\\\[(\(AddressPattern.version6))\\\\])(:\(AddressPattern.port))?/?$"
              },
              "token": {"type": ["string", "null"], "description": "The token that the PDA has made for the plug."},
              "config": {"type": ["object", "null"], "description": "Answers to what the plug asks for."},
              "streams": {"$ref": "#/components/schemas/WantedStreams"}, "from": {"$ref": "#/components/schemas/FirstDay"},
              "every": {"$ref": "#/components/schemas/Every"}, "cron": {"$ref": "#/components/schemas/Cron"},
              "zone": {"$ref": "#/components/schemas/Zone"}, "paused": {"type": ["boolean", "null"]},
              "accept_foreign_token": {
                "type": ["boolean", "null"],
                "description": "Whether a token that another PDA issued, or that is not the plug's own, is sent to this PDA."
              }
            },
            "allOf": [{"$ref": "#/components/schemas/ScheduleChoice"}]
          },
          "ConnectionChange": {
            "type": "object", "additionalProperties": false,
            "properties": {
              "streams": {"$ref": "#/components/schemas/WantedStreams"}, "from": {"$ref": "#/components/schemas/FirstDay"},
              "every": {"$ref": "#/components/schemas/Every"}, "cron": {"$ref": "#/components/schemas/Cron"},
              "zone": {"$ref": "#/components/schemas/Zone"}
            },
            "allOf": [{"$ref": "#/components/schemas/ScheduleChoice"}]
          },
          "WantedStreams": {"type": ["array", "null"], "items": {"type": "string", "minLength": 1}, "minItems": 1},
          "FirstDay": {
            "type": ["string", "null"], "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
            "description": "The first day to read; it only has an effect before the first run."
          },
          "Every": {
            "type": ["string", "null"], "description": "An interval from 1m to 366d, such as 1h.",
            "pattern": "^([6-9][0-9]s|[1-9][0-9]{2,6}s|[1-9][0-9]{0,4}m|[1-9][0-9]{0,2}h|([1-9][0-9]?|[12][0-9]{2}|3[0-5][0-9]|36[0-6])d|([1-9]|[1-4][0-9]|5[0-2])w)$"
          },
          "Cron": {
            "type": ["string", "null"], "description": "Five fields, as in crontab(5), or a word such as @daily.",
            "maxLength": 1000, "pattern": "\(cron)"
          },
          "Zone": {
            "type": ["string", "null"], "description": "The time zone of 'cron', by its IANA name; UTC by default.",
            "enum": [\(zones), null]
          },
          "ScheduleChoice": {
            "description": "'every' and 'cron' cannot be used together, and 'zone' is for 'cron'.",
            "not": {
              "required": ["every", "cron"],
              "properties": {"every": {"type": "string"}, "cron": {"type": "string"}}
            },
            "if": {"required": ["zone"], "properties": {"zone": {"type": "string"}}},
            "then": {"required": ["cron"], "properties": {"cron": {"type": "string"}}}
          },
          "Setup": {
            "type": "object", "required": ["every", "cron", "zone", "from", "streams", "answered", "accept_foreign_token"],
            "additionalProperties": false,
            "properties": {
              "every": {"type": ["string", "null"]}, "cron": {"type": ["string", "null"]},
              "zone": {"type": ["string", "null"]}, "from": {"type": ["string", "null"], "format": "date"},
              "streams": {"type": ["array", "null"], "items": {"type": "string"}},
              "answered": {"type": "array", "items": {"type": "string"}}, "accept_foreign_token": {"type": "boolean"}
            }
          },
          "Connection": {
            "type": "object",
            "required": [
              "connection", "plug", "pda", "created", "status", "health", "due", "account", "last_run", "last_success",
              "runs_without_progress", "dead_letters", "outbox", "streams", "setup"
            ],
            "properties": {
              "connection": {"type": "string"}, "plug": {"type": "string"}, "pda": {"type": "string"},
              "created": {"$ref": "#/components/schemas/Time"},
              "status": {"enum": ["active", "paused", "reconnect", "disabled", null]},
              "health": {
                "description": "What keeps the runs of an active connection from making progress; null if nothing does.",
                "oneOf": [
                  {
                    "type": "object", "required": ["state", "code", "since"], "additionalProperties": false,
                    "properties": {
                      "state": {
                        "description": "'waiting' if its PDA takes nothing, or its service asks to wait.",
                        "enum": ["failing", "waiting"]
                      },
                      "code": {"type": "string"}, "since": {"$ref": "#/components/schemas/Time"}
                    }
                  },
                  {"type": "null"}
                ]
              },
              "due": {"$ref": "#/components/schemas/MaybeTime"},
              "account": {"type": ["object", "null"]},
              "last_run": {"oneOf": [{"$ref": "#/components/schemas/Run"}, {"type": "null"}]},
              "last_success": {"$ref": "#/components/schemas/MaybeTime"},
              "runs_without_progress": {"type": "integer"}, "dead_letters": {"type": "integer"},
              "outbox": {
                "type": "object", "required": ["batches", "bytes", "since"],
                "properties": {
                  "batches": {"type": "integer"}, "bytes": {"type": "integer"},
                  "since": {"$ref": "#/components/schemas/MaybeTime"}
                }
              },
              "streams": {
                "type": "array",
                "items": {
                  "type": "object", "required": ["stream", "cursor"],
                  "properties": {"stream": {"type": "string"}, "cursor": {"type": ["string", "null"]}}
                }
              },
              "setup": {"oneOf": [{"$ref": "#/components/schemas/Setup"}, {"type": "null"}]}
            }
          },
          "ConnectionList": {
            "type": "object", "required": ["connections", "next"], "additionalProperties": false,
            "properties": {
              "connections": {"type": "array", "items": {"$ref": "#/components/schemas/Connection"}},
              "next": {"type": ["string", "null"], "description": "For 'after' of the next page; null at the end."}
            }
          },
          "Receipt": {
            "type": "object", "additionalProperties": false,
            "required": ["connection", "plug", "pda", "created", "erased", "key", "rows", "log_emptied", "consent"],
            "properties": {
              "connection": {"type": "string"}, "plug": {"type": "string"}, "pda": {"type": "string"},
              "created": {"$ref": "#/components/schemas/Time"}, "erased": {"$ref": "#/components/schemas/Time"},
              "key": {"type": "string"}, "rows": {"type": "object", "additionalProperties": {"type": "integer"}},
              "log_emptied": {"type": "boolean"},
              "consent": {
                "type": "object", "additionalProperties": false, "required": ["status", "text"],
                "properties": {
                  "status": {"enum": ["revoked", "nothing", "unsupported", "failed"]}, "text": {"type": "string"}
                }
              }
            }
          }
        }
        """
}
