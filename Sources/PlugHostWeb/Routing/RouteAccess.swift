/// What somebody may be who asks a host for something.
package enum RouteRole: Sendable, Hashable, CustomStringConvertible {
    /// Nobody knows who it is.
    case stranger
    /// Somebody who is logged in with a PDA: their own connections only.
    case person
    /// Somebody who is logged in to run the host.
    case `operator`
    /// A PDA that shows its token for a plug: connections to it only.
    case pda
    /// A program with a key of this scope.
    case key(APIScope)

    /// A word for it.
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

/// What a key allows.
package enum APIScope: String, Sendable, CaseIterable {
    /// To see the plugs that the host serves.
    case plugsRead = "plugs:read"
    /// To see connections, their runs and changes.
    case connectionsRead = "connections:read"
    /// To make connections, and to change, pause, resume and run them.
    case connectionsWrite = "connections:write"
    /// To erase connections.
    case connectionsErase = "connections:erase"
    /// To see what the host counts.
    case metricsRead = "metrics:read"
}

/// Who may use a route.
package struct RouteAccess: Sendable, Equatable, ExpressibleByArrayLiteral {
    /// Those who may.
    package let roles: Set<RouteRole>

    /// Those who may, each named: an operator has no right that is not written down.
    package init(arrayLiteral roles: RouteRole...) { self.roles = Set(roles) }

    /// Everybody, known or not.
    package static let anybody: RouteAccess = [.stranger]

    /// Whether a cookie can say who asks. Elsewhere cookies are not even read, so that no other site can use a browser's.
    package var takesCookies: Bool { roles.contains(.person) || roles.contains(.operator) }
    /// Whether a key can say who asks.
    package var takesKeys: Bool { roles.contains { if case .key = $0 { true } else { false } } }
    /// Whether a PDA's token can say who asks.
    package var takesPDAs: Bool { roles.contains(.pda) }

    /// Whether a visitor may.
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
