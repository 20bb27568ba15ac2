/// An address that answers in place of a source, such as a mock on this machine.
package struct SourceRoute: Sendable, Equatable {
    /// The origin that a plug requests, such as `https://api.example.org`.
    package let origin: String
    /// Where its requests are sent, such as `http://127.0.0.1:22001`.
    package let place: HTTPURL

    /// A route from one origin to another; paths and queries are ignored.
    package init(from source: HTTPURL, to place: HTTPURL) {
        origin = source.origin
        self.place = place
    }

    /// The names that the server may use for itself in its responses: one on this machine has several.
    var names: [String] {
        guard place.host == "localhost" || place.address?.isLoopback == true else { return [place.origin] }
        let others = ["127.0.0.1", "localhost", "[::1]"].filter { $0 != place.host }
        let port = place.origin.dropFirst(place.scheme.count + 3 + place.host.count)
        return [place.origin] + others.map { "\(place.scheme)://\($0)\(port)" }
    }
}

extension [SourceRoute] {
    /// Where requests to an address go.
    package func place(of url: HTTPURL) throws(HTTPError) -> HTTPURL {
        guard let route = first(where: { $0.origin == url.origin }) else { return url }
        return try HTTPURL(route.place.origin + url.path + (url.query.map { "?\($0)" } ?? ""))
    }
}
