public import PlugCore

/// A small HTTP/1.1 server on loopback that answers from a cassette.
public final class ReplayServer: Sendable {
    /// `http://127.0.0.1:PORT`
    public let origin: String

    /// Starts to serve; the port is the system's choice.
    ///
    /// - Throws: `PlugError` `replay-server`, exit 69, where the system refuses a socket or a thread.
    public init(_ cassette: Cassette) throws(PlugError) {
        origin = ""
    }

    /// Stops accepting and closes all connections.
    public func stop() {}
}
