internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime

/// The text and JSON forms of an error.
enum ErrorText {
    /// `error: [code] message` and `help: advice`, foreign control characters escaped; ends with a line break.
    static func text(_ error: PlugError) -> String {
        error.description.split(separator: "\n", omittingEmptySubsequences: false)
            .map { DisplayText.escaped(String($0)) + "\n" }.joined()
    }

    /// `{"error": {"code", "message", "stream", "advice", "exit"}}`
    static func json(_ error: PlugError) -> JSONValue {
        var object = error.json.object ?? JSONObject()
        object["advice"] = error.advice.map(JSONValue.text) ?? .null
        object["exit"] = .integer(Int(error.exit.rawValue))
        return .object(JSONObject([("error", .object(object))]))
    }
}
