/// An address that answers in a source's place, such as a mock on this machine.
package struct SourceRoute: Sendable, Equatable {
    /// The origin that a plug asks, such as `https://api.example.org`.
    package let origin: String
    /// Where its requests go, such as `http://127.0.0.1:22001`.
    package let place: HTTPURL

    /// A route from one origin to another; paths and queries are left out.
    package init(from source: HTTPURL, to place: HTTPURL) {
        origin = source.origin
        self.place = place
    }

    /// How the place may call itself in its answers: a server on this machine has several names.
    var names: [String] {
        guard place.host == "localhost" || place.address?.isLoopback == true else { return [place.origin] }
        let others = ["127.0.0.1", "localhost", "[::1]"].filter { $0 != place.host }
        let port = place.origin.dropFirst(place.scheme.count + 3 + place.host.count)
        return [place.origin] + others.map { "\(place.scheme)://\($0)\(port)" }
    }
}
