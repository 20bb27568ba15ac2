/// All routes of a host.
package struct RouteTable: Sendable {
    /// The routes, in the order in which they are tried.
    package let routes: [HostRoute]

    /// A table.
    package init(_ routes: [HostRoute]) { self.routes = routes }

    /// The result of looking up a request's target.
    enum Target {
        case route(HostRoute, [String: String])
        /// The path exists with other methods: these.
        case otherMethods([String])
        case nothing
    }

    /// The route for a request.
    func target(method: String, path: String) -> Target {
        let wanted = method == "HEAD" ? "GET" : method
        var others: [String] = []
        for route in routes {
            guard let parameters = route.path.match(path) else { continue }
            if route.method.rawValue == wanted { return .route(route, parameters) }
            others.append(route.method.rawValue)
        }
        return others.isEmpty ? .nothing : .otherMethods(others)
    }
}
