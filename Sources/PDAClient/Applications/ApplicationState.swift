public import LosslessJSON

/// An application's state in a PDA, derived from its HATApplicationObject as clients do (S38).
public enum ApplicationState: String, Sendable, CaseIterable {
    /// Running, and its data is there.
    case connected
    /// Running, and no data has arrived yet.
    case fetching
    /// Must be set up again, because its definition requires a newer version.
    case needsUpdating
    /// Enabled, but its status check fails.
    case failing
    /// Never set up, or disabled.
    case notConnected

    /// Which healthy applications without data are `fetching`; the rest are `connected`. Published sources disagree.
    public enum FetchingRule: Sendable, CaseIterable {
        /// All of them: the only rule that agrees both with the documentation's sentence about Apps and with what every client
        /// does for plugs. The default.
        case everyKind
        /// All but Apps, as the published Swift code has it.
        case allButApps
        /// Only plugs, as the PDA's web page has it.
        case plugsOnly

        func holds(for kind: ApplicationKind.Name) -> Bool {
            switch self {
            case .everyKind: true
            case .allButApps: kind != .app
            case .plugsOnly: kind == .dataPlug
            }
        }
    }

    /// The state that these flags describe. The first rule that holds decides, in the published order:
    ///
    /// 1. `setup` and `needsUpdating`: `needsUpdating`
    /// 2. `enabled` and not `active`: `failing`
    /// 3. `enabled`, `active`, no recent data, and a kind that `fetching` covers: `fetching`
    /// 4. `enabled` and `active`: `connected`
    /// 5. anything else: `notConnected`
    public init(
        setup: Bool,
        enabled: Bool,
        active: Bool,
        needsUpdating: Bool,
        hasRecentData: Bool,
        kind: ApplicationKind.Name,
        fetching: FetchingRule = .everyKind
    ) {
        if setup, needsUpdating {
            self = .needsUpdating
        } else if !enabled {
            self = .notConnected
        } else if !active {
            self = .failing
        } else {
            self = !hasRecentData && fetching.holds(for: kind) ? .fetching : .connected
        }
    }

    /// The state of an application not decoded into Swift types. Members missing from the object count as `false`.
    public init(of object: JSONValue, fetching: FetchingRule = .everyKind) {
        func isTrue(_ key: String) -> Bool { object[key]?.bool == true }
        let kind = object["application"]?["kind"]?["kind"]
        self.init(
            setup: isTrue("setup"),
            enabled: isTrue("enabled"),
            active: isTrue("active"),
            needsUpdating: isTrue("needsUpdating"),
            hasRecentData: object["mostRecentData"].map { !$0.isNull } ?? false,
            kind: kind.flatMap { try? ApplicationKind.Name.read($0, at: "") } ?? ApplicationKind.Name(rawValue: ""),
            fetching: fetching
        )
    }
}
