extension RequestThrottling {
    /// What holds back requests of this process now, by name: sources that asked for a wait, and hosts that fail too often.
    /// Findings of other processes appear once this one has come across them.
    package func heldBack() -> [RememberedLimit] {
        (limits.closed() + transport.openCircuits()).sorted { $0.name < $1.name }
    }
}
