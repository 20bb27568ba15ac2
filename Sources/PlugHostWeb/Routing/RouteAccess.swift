/// The role of a caller of the host.
package enum RouteRole: Sendable, Hashable, CustomStringConvertible {
    /// An unauthenticated caller.
    case stranger
    /// A person logged in with a PDA: their own connections only.
    case person
    /// An operator who is logged in.
    case `operator`
    /// A PDA that presents its token for a plug: connections to it only.
    case pda
    /// A program with a key of this scope.
    case key(APIScope)

    /// Its name.
    package var description: String {
        switch self {
        case .stranger: "stranger"
        case .person: "person"
        case .operator: "operator"
        case .pda: "PDA"
        case .key(let scope): "key with \(scope.rawValue)"
        }
    }
}

/// A key's scope.
package enum APIScope: String, Sendable, CaseIterable {
    /// Reading the plugs that the host serves.
    case plugsRead = "plugs:read"
    /// Reading connections, their runs and changes.
    case connectionsRead = "connections:read"
    /// Making, changing, pausing, resuming and running connections.
    case connectionsWrite = "connections:write"
    /// Erasing connections.
    case connectionsErase = "connections:erase"
    /// Reading the host's metrics.
    case metricsRead = "metrics:read"
}

/// Who may use a route.
package struct RouteAccess: Sendable, Equatable, ExpressibleByArrayLiteral {
    /// The permitted roles.
    package let roles: Set<RouteRole>

    /// The permitted roles, each listed explicitly: an operator has no implicit rights.
    package init(arrayLiteral roles: RouteRole...) { self.roles = Set(roles) }

    /// Everyone, known or not.
    package static let anybody: RouteAccess = [.stranger]

    /// Whether a cookie can identify the caller. Elsewhere cookies are not even read, so that no other site can use a browser's.
    package var takesCookies: Bool { roles.contains(.person) || roles.contains(.operator) }
    /// Whether a key can identify the caller.
    package var takesKeys: Bool { roles.contains { if case .key = $0 { true } else { false } } }
    /// Whether a PDA's token can identify the caller.
    package var takesPDAs: Bool { roles.contains(.pda) }

    /// Whether a visitor has access.
    package func allows(_ visitor: Visitor) -> Bool {
        if roles.contains(.stranger) { return true }
        switch visitor {
        case .stranger: return false
        case .person: return roles.contains(.person)
        case .operator: return roles.contains(.operator)
        case .pda: return roles.contains(.pda)
        case .key(_, let scopes): return scopes.contains { roles.contains(.key($0)) }
        }
    }
}
