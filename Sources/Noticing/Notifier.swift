package import PlugCore

/// A target of notices.
package protocol Notifier: Sendable {
    /// What the operator calls it.
    var name: String { get }
    /// Whether its notices name the PDAs of connections.
    var namesPDAs: Bool { get }

    /// Sends a notice, in a time that is bounded.
    ///
    /// - Returns: What came back, in a few words.
    /// - Throws: `PlugError` `notice-unreachable`, `notice-refused`.
    func send(_ notice: Notice) async throws(PlugError) -> String
}
