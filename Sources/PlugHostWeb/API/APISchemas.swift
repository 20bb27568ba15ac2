package import LosslessJSON

/// The JSON Schemas of the API's bodies, by name. They are written as JSON beside the routes that use them; a test parses them and
/// checks them against responses.
package enum APISchemas {
    /// All of them. A part that is not valid JSON is left out; a test rules that out.
    package static var value: JSONValue {
        var all = JSONObject()
        for part in [shared, APIRoutes.plugSchemas, APIRoutes.connectionSchemas, APIRoutes.historySchemas] {
            for member in (try? JSONValue(parsing: part))?.object?.members ?? [] { all[member.key] = member.value }
        }
        return .object(all)
    }

    private static let shared = """
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
          "MaybeTime": {"type": ["string", "null"], "format": "date-time"}
        }
        """
}
