package import PlugCore
package import PlugStorage

/// Who asks.
package enum Visitor: Sendable, Equatable {
    /// Nobody knows.
    case stranger
    /// Somebody who is logged in with their PDA, by its origin.
    case person(pda: String)
    /// Somebody who runs the host, by name.
    case `operator`(String)
    /// A PDA that shows a token which it has made for a plug.
    case pda(String, plug: String)
    /// A program with a key.
    case key(String, Set<APIScope>)

    /// Whether a connection is theirs to know of. Of others' connections they hear the same as of connections that do not exist.
    package func maySee(_ connection: Connection) -> Bool {
        switch self {
        case .stranger: false
        case .person(let pda): connection.pda == pda
        case .pda(let pda, let plug): connection.pda == pda && connection.plug == plug
        case .operator, .key: true
        }
    }

    /// What the audit log calls them.
    package var auditName: String {
        switch self {
        case .stranger: "stranger"
        case .person: "person"
        case .operator(let name): "operator \(name)"
        case .pda: "pda"
        case .key(let name, _): "key \(name)"
        }
    }
}

/// Reads the tokens that PDAs show.
package protocol PDAVisitorReading: Sendable {
    /// The PDA that has made a token, by its origin, and the plug that this is for; `nil` if the token is not valid, or for
    /// another plug.
    ///
    /// - Parameter plug: The plug that is asked for; `nil` where that is what the token says.
    func pda(showing token: Secret, for plug: String?) async throws -> (pda: String, plug: String)?
}
