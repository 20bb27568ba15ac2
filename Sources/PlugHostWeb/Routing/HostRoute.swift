package import PlugCore

/// One row of the route table: a method and a path, who may use it, what it accepts, and its handler.
///
/// The server is built only from this table, and so are the tests that try every route as every kind of caller: they cannot miss
/// a new route. A path with `{connection}` names a connection: it is looked up, and the visitor's access to it is checked, before
/// the handler runs.
package struct HostRoute: Sendable {
    /// A request's method. `HEAD` is answered as `GET`.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        /// Whether it changes nothing.
        var isSafe: Bool { self == .get }
    }

    /// A request's body.
    package enum Body: Sendable, Equatable {
        /// None, or one that is not read.
        case nothing
        /// A form of this host's pages, with its token. If a cookie identifies the caller, only forms are accepted.
        case form
        /// A JSON object.
        case json
        /// Any bytes, up to this number.
        case bytes(Int)
    }

    /// Answers a permitted request.
    package typealias Handler = @Sendable (HostRequest) async throws -> HostAnswer

    /// The method.
    package let method: Method
    /// The path.
    package let path: PathPattern
    /// Who may use it.
    package let access: RouteAccess
    /// The body that it accepts.
    package let body: Body
    /// The rate limit for one remote address; `nil` for none.
    package let limit: RateLimit?
    /// Its entry in the API's description; `nil` outside the API.
    package let operation: APIOperation?
    let answer: Handler

    /// A route.
    package init(
        _ method: Method,
        _ path: PathPattern,
        _ access: RouteAccess,
        body: Body = .nothing,
        limit: RateLimit? = nil,
        operation: APIOperation? = nil,
        _ answer: @escaping Handler
    ) {
        self.method = method
        self.path = path
        self.access = access
        self.body = body
        self.limit = limit
        self.operation = operation
        self.answer = answer
    }

    /// Whether it is used by programs, whose errors are JSON.
    package var isForPrograms: Bool { Self.isForPrograms(path.description) }

    /// Whether a path is for programs, even if it is not a route: `/api/…`, `/plugs/{plug}/api/…`, `/plugs/{plug}/webhook`.
    static func isForPrograms(_ path: String) -> Bool {
        let pieces = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        if pieces.first == "api" { return true }
        return pieces.count > 2 && pieces[0] == "plugs" && ["api", "webhook"].contains(pieces[2])
    }
}

extension RateLimit {
    /// For logins, callbacks and anything else that can be guessed at: ten at once, then one every two seconds.
    package static let guesses = RateLimit(count: 30, per: .seconds(60), burst: 10)
}
