/// One row of the table: a method and paths, who may use it, and the handler.
struct Route: Sendable {
    /// The answer to an authorised caller. It is made from a request whose parameters and body have been read and were valid,
    /// because mistakes in those are reported before a missing token.
    typealias Reply = @Sendable (Caller) async throws -> Answer

    /// What handles a request.
    enum Handler: Sendable {
        /// Without a token.
        case open(@Sendable (PDAServer, ServedRequest) async throws -> Answer)
        /// With a token: reads the request, then answers the caller.
        case secured(Access, @Sendable (PDAServer, ServedRequest) async throws -> Reply)
    }

    /// `nil` for any.
    private let method: String?
    private let handler: @Sendable (RequestPath) -> Handler?

    /// A route that is open to all.
    static func open<Value: Sendable>(
        _ method: String,
        _ path: RoutePath<Value>,
        _ answer: @escaping @Sendable (PDAServer, Value, ServedRequest) async throws -> Answer
    ) -> Route {
        Route(method: method) { requested in
            path.value(in: requested).map { value in .open { try await answer($0, value, $1) } }
        }
    }

    /// A route that needs a token; its access may depend on the variable part of the path.
    static func secured<Value: Sendable>(
        _ method: String?,
        _ path: RoutePath<Value>,
        by access: @escaping @Sendable (Value) -> Access,
        _ read: @escaping @Sendable (PDAServer, Value, ServedRequest) async throws -> Reply
    ) -> Route {
        Route(method: method) { requested in
            path.value(in: requested).map { value in
                .secured(access(value)) { try await read($0, value, $1) }
            }
        }
    }

    /// A route that needs a token.
    static func secured<Value: Sendable>(
        _ method: String?,
        _ path: RoutePath<Value>,
        by access: Access,
        _ read: @escaping @Sendable (PDAServer, Value, ServedRequest) async throws -> Reply
    ) -> Route {
        secured(method, path, by: { _ in access }, read)
    }

    private init(method: String?, handler: @escaping @Sendable (RequestPath) -> Handler?) {
        self.method = method
        self.handler = handler
    }

    /// The handler of a request. As in the reference server, a path without a route is a page for GET and an error for everything
    /// else.
    static func handler(of request: ServedRequest) -> Handler {
        let method = request.method == "HEAD" ? "GET" : request.method
        let path = RequestPath(request.path)
        for route in table where route.method == nil || route.method == method {
            if let handler = route.handler(path) { return handler }
        }
        return .open { _, request in
            if method == "GET" { return Page.unknown(request.path) }
            throw Refusal.framework(
                404,
                "Handler Not Found",
                "Request handler at \(request.method):\(request.path) does not exist"
            )
        }
    }
}
