extension RequestThrottling {
    /// What keeps requests of this process back just now, by name: sources that have asked to wait, and hosts that fail too often.
    /// What other processes have found out is in it as soon as this one has met it.
    package func heldBack() -> [RememberedLimit] {
        (limits.closed() + transport.openCircuits()).sorted { $0.name < $1.name }
    }
}
