internal import LosslessJSON

/// What a token's bearer may do.
struct Role: Sendable, Hashable {
    var title: String
    var detail: String?

    init(_ title: String, _ detail: String? = nil) {
        self.title = title
        self.detail = detail
    }

    /// Reads a role's object, `nil` for what is `unknown` to the reference server.
    init?(_ value: JSONValue) {
        guard let title = value["role"]?.stringText else { return nil }
        self.init(granted: title, detail: value["detail"]?.stringText)
    }

    /// Reads a definition's role, `nil` for what is `unknown` to the reference server.
    init?(granted title: String, detail: String?) {
        switch title {
        case "owner", "platform", "validate", "applicationlist":
            if detail != nil { return nil }
            self.init(title)
        case "datadebit", "datacredit": self.init(title, detail ?? "")
        case "namespacewrite", "namespaceread", "applicationmanage", "applicationstatusread",
            "retrieveapplicationtoken", "managefiles", "verified":
            guard let detail else { return nil }
            self.init(title, detail)
        default: return nil
        }
    }

    /// Whether this requirement is met by a granted role. A requirement (never a grant) of `*` accepts any detail.
    func isMet(by granted: Role) -> Bool {
        title == granted.title && (detail == granted.detail || (detail == "*" && granted.detail != nil))
    }

    /// `{"role": TITLE, "detail"?: DETAIL}`
    var json: JSONValue {
        var members: [JSONObject.Member] = [("role", .text(title))]
        if let detail { members.append(("detail", .text(detail))) }
        return .object(JSONObject(members))
    }

    static let owner = Role("owner")
    static let platform = Role("platform")
    static func write(_ namespace: String) -> Role { Role("namespacewrite", namespace) }
    static func read(_ namespace: String) -> Role { Role("namespaceread", namespace) }
    /// The gate before writing to several namespaces at once.
    static let writer = Role("datacredit", "")
    /// Any namespace: only ever required, never granted.
    static let writesAnything = Role.write("*")
    static func dataDebit(_ key: String) -> Role { Role("datadebit", key) }
    static func manage(_ id: String) -> Role { Role("applicationmanage", id) }
}
