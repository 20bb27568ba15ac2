internal import PlugCore

/// The paths of a connection's pages.
struct ConnectionPath: CustomStringConvertible {
    private let connection: ConnectionID

    init(_ connection: ConnectionID) { self.connection = connection }

    var description: String { "/connections/\(PercentEncoding.segment(connection.name))" }
}

extension HTML.StringInterpolation {
    /// A path is percent-encoded: nothing in it has to be escaped.
    mutating func appendInterpolation(_ path: ConnectionPath) { appendInterpolation(path.description) }
}
