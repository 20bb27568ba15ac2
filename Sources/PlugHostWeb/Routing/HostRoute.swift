package import PlugCore

/// One row of the table of routes: a method and a path, who may, what it takes, and what answers.
///
/// The server is built from the table and from nothing else, and so are the tests that try every route as everybody: a new
/// route cannot be forgotten in them. A path with `{connection}` names a connection: it is looked up, and whether the visitor
/// may see it is decided, before the handler is asked.
package struct HostRoute: Sendable {
    /// What is asked for. `HEAD` is answered as `GET`.
    package enum Method: String, Sendable, CaseIterable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case patch = "PATCH"
        case delete = "DELETE"

        /// Whether it changes nothing.
        var isSafe: Bool { self == .get }
    }

    /// What a request's body may be.
    package enum Body: Sendable, Equatable {
        /// None, or one that nobody reads.
        case nothing
        /// A form of this host's pages, with its token. Only forms are taken where a cookie says who asks.
        case form
        /// A JSON object.
        case json
        /// Any bytes, at most so many.
        case bytes(Int)
    }

    /// Answers a request of somebody who may.
    package typealias Handler = @Sendable (HostRequest) async throws -> HostAnswer

    /// The method.
    package let method: Method
    /// The path.
    package let path: PathPattern
    /// Who may.
    package let access: RouteAccess
    /// What it takes.
    package let body: Body
    /// How often one remote address may; `nil` for any number.
    package let limit: RateLimit?
    /// What the API's description says of it; `nil` outside the API.
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

    /// Whether a path is used by programs, a route or not: `/api/…`, `/plugs/{plug}/api/…`, `/plugs/{plug}/webhook`.
    static func isForPrograms(_ path: String) -> Bool {
        let pieces = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }
        if pieces.first == "api" { return true }
        return pieces.count > 2 && pieces[0] == "plugs" && ["api", "webhook"].contains(pieces[2])
    }
}

extension RateLimit {
    /// Of log-ins, callbacks and whatever else somebody could guess at: ten at once, then one each two seconds.
    package static let guesses = RateLimit(count: 30, per: .seconds(60), burst: 10)
}
