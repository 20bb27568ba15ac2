public import LosslessJSON

/// How an application stands in somebody's PDA, derived from its HATApplicationObject as clients do.
public enum ApplicationState: String, Sendable, CaseIterable {
    /// Runs, and its data is there.
    case connected
    /// Runs, and no data has arrived yet.
    case fetching
    /// Must be set up again, because its definition demands a newer version.
    case needsUpdating
    /// Is enabled, and its status check fails.
    case failing
    /// Was never set up, or was disabled.
    case notConnected

    /// The state of an application. What is missing in the object counts as `false`.
    ///
    /// The first rule that holds decides, in the published order; `fetching` does not depend on the application's kind.
    public init(of object: JSONValue) {
        func isTrue(_ key: String) -> Bool { object[key]?.bool == true }
        let hasData = object["mostRecentData"].map { !$0.isNull } ?? false
        if isTrue("setup"), isTrue("needsUpdating") {
            self = .needsUpdating
        } else if !isTrue("enabled") {
            self = .notConnected
        } else if !isTrue("active") {
            self = .failing
        } else {
            self = hasData ? .connected : .fetching
        }
    }
}
