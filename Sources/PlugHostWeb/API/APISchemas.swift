package import LosslessJSON
internal import PlugCore
internal import Scheduling

/// The JSON Schemas of the API's bodies, by name. They are written as JSON, which a test parses and checks against responses.
package enum APISchemas {
    /// All of them; an empty object if the text below were not JSON, which a test rules out.
    package static var value: JSONValue { (try? JSONValue(parsing: Array(text.utf8))) ?? .object(JSONObject()) }

    /// A PDA's host name or IPv4 address: labels, the last of which begins with a letter; or four numbers.
    static let host =
        "([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?[.])*[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
        + "|(\(number)[.]){3}\(number)"
    /// An IPv6 address, without an embedded IPv4 address.
    private static let version6 = {
        let group = "[0-9A-Fa-f]{1,4}"
        let compressed = (1...6).map { "(\(group):){1,\($0)}(:\(group)){1,\(7 - $0)}" }
        return (["(\(group):){7}\(group)", "(\(group):){1,7}:", ":((:\(group)){1,7}|:)"] + compressed).joined(
            separator: "|"
        )
    }()
    private static let number = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    /// 1 to 65535.
    static let port =
        "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"

    private static let cron = CronExpression.pattern.replacing("\\", with: "\\\\")
    private static let zones = Set(NamedZone.names + ["UTC"]).sorted().map { "\"\($0)\"" }.joined(separator: ", ")

    private static let text = """
        {
          "Problem": {
            "type": "object", "required": ["title", "status", "code", "detail", "advice"], "additionalProperties": false,
            "properties": {
              "title": {"type": "string"}, "status": {"type": "integer"},
              "code": {"type": "string", "description": "For 'plughost explain'."},
              "detail": {"type": "string"}, "advice": {"type": ["string", "null"]}
            }
          },
          "Time": {"type": "string", "format": "date-time"},
          "MaybeTime": {"type": ["string", "null"], "format": "date-time"},
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
            "type": "object", "required": ["plug", "version", "config", "streams"], "additionalProperties": false,
            "properties": {
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
          },
          "NewConnection": {
            "type": "object", "required": ["connection", "plug", "pda"], "additionalProperties": false,
            "properties": {
              "connection": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[^\\\\x00-\\\\x20/\\\\x7f]+$"},
              "plug": {"type": "string", "pattern": "^[a-z0-9][a-z0-9-]{0,63}$"},
              "pda": {
                "type": "string", "description": "The PDA's address, such as https://you.example.",
                "pattern": "^https?://(\(host)|\\\\[(\(version6))\\\\])(:\(port))?/?$"
              },
              "token": {"type": ["string", "null"], "description": "The token that the PDA has made for the plug."},
              "config": {"type": ["object", "null"], "description": "Answers to what the plug asks for."},
              "streams": {"$ref": "#/components/schemas/WantedStreams"}, "from": {"$ref": "#/components/schemas/FirstDay"},
              "every": {"$ref": "#/components/schemas/Every"}, "cron": {"$ref": "#/components/schemas/Cron"},
              "zone": {"$ref": "#/components/schemas/Zone"}, "paused": {"type": ["boolean", "null"]}
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
          "Setup": {
            "type": "object", "required": ["every", "cron", "zone", "from", "streams", "answered"],
            "additionalProperties": false,
            "properties": {
              "every": {"type": ["string", "null"]}, "cron": {"type": ["string", "null"]},
              "zone": {"type": ["string", "null"]}, "from": {"type": ["string", "null"], "format": "date"},
              "streams": {"type": ["array", "null"], "items": {"type": "string"}},
              "answered": {"type": "array", "items": {"type": "string"}}
            }
          },
          "Connection": {
            "type": "object",
            "required": [
              "connection", "plug", "pda", "created", "status", "due", "account", "last_run", "last_success",
              "runs_without_progress", "dead_letters", "outbox", "streams", "setup"
            ],
            "properties": {
              "connection": {"type": "string"}, "plug": {"type": "string"}, "pda": {"type": "string"},
              "created": {"$ref": "#/components/schemas/Time"},
              "status": {"enum": ["active", "paused", "reconnect", "disabled", null]},
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
