internal import LosslessJSON

/// An application that this PDA can resolve, with its state.
struct KnownApplication: Sendable {
    var definition: JSONValue
    var setUpVersion: String?
    var isEnabled: Bool

    var id: String { definition["id"]?.stringText ?? "" }
    var version: String { definition["info"]?["version"]?.stringText ?? "1.0.0" }

    /// The roles that its definition asks for. One that needs a detail and lacks it, or has one it must not have, is `unknown` to
    /// the reference server and grants nothing.
    var roles: [Role] {
        (definition["permissions"]?["rolesGranted"]?.elements ?? []).compactMap { Role($0) }
    }

    /// Whether the definition requires a newer version than the one that was set up.
    var needsUpdating: Bool {
        guard let demanded = definition["status"]?["compatibility"]?.stringText.flatMap({ Version($0) }),
            let present = setUpVersion.flatMap({ Version($0) })
        else { return false }
        return present < demanded
    }

    /// The bundle that the application reads through its data debit, `nil` for none.
    var dataRetrieved: JSONValue? {
        definition["permissions"]?["dataRetrieved"].flatMap { $0.isNull ? nil : $0 }
    }

    /// The key of that data debit.
    var dataDebitKey: String { Self.dataDebitKey(id) }
    static func dataDebitKey(_ id: String) -> String { "app-\(id)" }
}

/// Three dotted integers, compared one by one.
struct Version: Comparable {
    private var parts: [Int]

    init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, !parts.contains(where: { $0.map { $0 < 0 } ?? true }) else { return nil }
        self.parts = parts.compactMap { $0 }
    }

    static func < (left: Version, right: Version) -> Bool { left.parts.lexicographicallyPrecedes(right.parts) }
}
