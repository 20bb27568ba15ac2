internal import PlugCore
internal import PlugStorage

/// The paths of operators' pages. They are percent-encoded: they need no escaping, but tolerate it.
enum OperatorPath {
    static let overview = "/operator"
    static let connections = "/operator/connections"
    static let plugs = "/operator/plugs"
    static let changes = "/operator/changes"

    static func plug(_ plug: String) -> String { "\(plugs)/\(PercentEncoding.segment(plug))" }

    /// A page about one connection.
    static func of(_ connection: ConnectionID, _ page: String) -> String {
        "\(connections)/\(PercentEncoding.segment(connection.name))/\(page)"
    }

    /// The list of the connections of a plug, or of all, in a state, or whose runs fail with a code.
    static func list(plug: String? = nil, state: String? = nil, code: String? = nil) -> String {
        var fields: [(name: String, value: String)] = []
        if let plug { fields.append(("plug", plug)) }
        if let state { fields.append(("state", state)) }
        if let code { fields.append(("code", code)) }
        return fields.isEmpty ? connections : "\(connections)?\(FormText.encode(fields))"
    }
}
