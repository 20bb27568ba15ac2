internal import LosslessJSON

/// An application or plug with its state in one PDA: an element of `GET /api/v2.6/applications` (S34, S35).
///
/// Three things are called set-up: `isSetUp` here (`setup`, true or false), `application.setup` (how it is done) and
/// `application.setup.kind` (`Internal` or `External`).
public struct HATApplicationObject: PDAShape {
    /// The definition.
    public var application: HATApplication
    /// `setup`: whether it was ever set up in this PDA; stays true after disabling.
    public var isSetUp: Bool
    /// `enabled`: whether it is switched on.
    public var isEnabled: Bool
    /// `active`: whether its status check and its data debit are in order. A PDA may answer from a 10-minute cache.
    public var isActive: Bool
    /// Whether it must be set up again. A PDA reports it only for enabled ones; `nil` means no.
    public var needsUpdating: Bool?
    /// When the newest record arrived at `status.recentDataCheckEndpoint`, `nil` if there is none.
    public var mostRecentData: PDATime?
    /// Whether all dependencies could be enabled; only newer servers report it, and only in the answer to a set-up.
    public var dependenciesEnabled: Bool?

    var original = JSONObject()

    /// Its state, by the published rule with `fetching` for every kind (S38).
    public var state: ApplicationState { state(fetching: .everyKind) }

    /// Its state.
    ///
    /// - Parameter fetching: Which kinds can be `fetching`; published sources disagree.
    public func state(fetching: ApplicationState.FetchingRule) -> ApplicationState {
        ApplicationState(
            setup: isSetUp,
            enabled: isEnabled,
            active: isActive,
            needsUpdating: needsUpdating ?? false,
            hasRecentData: mostRecentData != nil,
            kind: application.kind.kind,
            fetching: fetching
        )
    }
}

extension HATApplicationObject: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        application = try members.required("application")
        isSetUp = try members.required("setup")
        isEnabled = try members.required("enabled")
        isActive = try members.required("active")
        needsUpdating = try members.optional("needsUpdating")
        mostRecentData = try members.optional("mostRecentData")
        dependenciesEnabled = try members.optional("dependenciesEnabled")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("application", application)
        members.set("setup", isSetUp)
        members.set("enabled", isEnabled)
        members.set("active", isActive)
        members.set("needsUpdating", needsUpdating)
        members.set("dependenciesEnabled", dependenciesEnabled)
        members.set("mostRecentData", mostRecentData)
    }
}
