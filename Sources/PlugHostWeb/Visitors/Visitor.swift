package import PlugCore
package import PlugStorage

/// The caller of a route.
package enum Visitor: Sendable, Equatable {
    /// An unauthenticated caller.
    case stranger
    /// A person logged in with their PDA, by its origin.
    case person(pda: String)
    /// An operator of the host, by name.
    case `operator`(String)
    /// A PDA that presents a token which it has issued for a plug.
    case pda(String, plug: String)
    /// A program with a key.
    case key(String, Set<APIScope>)

    /// Whether a connection is visible to them. For other connections they get the same answer as for ones that do not exist.
    package func maySee(_ connection: Connection) -> Bool {
        switch self {
        case .stranger: false
        case .person(let pda): connection.pda == pda
        case .pda(let pda, let plug): connection.pda == pda && connection.plug == plug
        case .operator, .key: true
        }
    }

    /// Their name in the audit log.
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

/// Reads the tokens that PDAs present.
package protocol PDAVisitorReading: Sendable {
    /// The PDA that issued a token, by its origin, and the plug that it is for; `nil` if the token is invalid, or for another
    /// plug.
    ///
    /// - Parameter plug: The requested plug; `nil` if the token names it.
    func pda(showing token: Secret, for plug: String?) async throws -> (pda: String, plug: String)?
}
