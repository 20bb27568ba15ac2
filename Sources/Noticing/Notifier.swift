package import PlugCore

/// A target of notices.
package protocol Notifier: Sendable {
    /// The operator's name for it.
    var name: String { get }
    /// Whether its notices name the PDAs of connections.
    var namesPDAs: Bool { get }

    /// Sends a notice within a bounded time.
    ///
    /// - Returns: The target's answer, in a few words.
    /// - Throws: `PlugError` `notice-unreachable`, `notice-refused`.
    func send(_ notice: Notice) async throws(PlugError) -> String
}
