internal import LosslessJSON
internal import PlugCore

/// Sends requests intended for a source to another server instead, such as one that replays stored responses, or a mock.
///
/// The request keeps its path and query; its original destination is sent in a `Forwarded` header (RFC 7239). The response claims
/// to come from there, and addresses in it that name the server are rewritten to the source: so links lead to the source and
/// through here to the server, and every check of a host sees the source's. Requests to a PDA are sent unchanged.
package struct RedirectingTransport: HTTPSending {
    private let inner: any HTTPSending
    private let routes: [SourceRoute]
    /// Where requests without a route go; `nil` for the source itself.
    private let rest: String?

    /// Sends every request to one server. No request reaches a source: offline means offline.
    ///
    /// - Parameters:
    ///   - inner: The underlying sender; its policy must allow sources in the server's network.
    ///   - origin: `ReplayServer.origin`.
    package init(_ inner: any HTTPSending, toSourcesAt origin: String) {
        self.inner = inner
        routes = []
        rest = origin
    }

    /// Sends requests along routes, and all others to their source.
    ///
    /// - Parameter inner: The underlying sender; its policy must list the routes' places as `standIns`.
    package init(_ inner: any HTTPSending, routes: [SourceRoute]) {
        self.inner = inner
        self.routes = routes
        rest = nil
    }

    /// Sends a request: to the server if it is intended for a source.
    ///
    /// - Throws: `HTTPError` as the inner transport does.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        guard request.side == .source else { return try await inner.send(request) }
        var request = request
        let url = try request.address()
        let route = routes.first { $0.origin == url.origin }
        let rest = try rest.map { text throws(HTTPError) in try HTTPURL(text) }
        guard let origin = (route?.place ?? rest)?.origin else { return try await inner.send(request) }
        var redirected = request
        redirected.url = origin + url.path + (url.query.map { "?\($0)" } ?? "")
        redirected.headers.append(HTTPHeader("Forwarded", Self.forwarded(url)))
        // Addresses are rewritten only in memory.
        if route != nil, request.spooling?.isOptional == true { redirected.spooling = nil }
        var response = try await inner.send(redirected)
        response.url = url.description
        if let route { StandInLinks(route, among: routes).lead(back: &response) }
        return response
    }

    /// `host="api.example.org";proto=https`, the host with its port unless that is the scheme's default.
    static func forwarded(_ url: HTTPURL) -> String {
        "host=\"\(url.origin.dropFirst(url.scheme.count + 3))\";proto=\(url.scheme)"
    }
}

/// Rewrites addresses in a response that name a server in a source's place to the source's own.
struct StandInLinks {
    private let replacements: [(name: [UInt8], origin: [UInt8])]

    /// - Parameters:
    ///   - route: The route of this response: if a server replaces several sources, it means the requested one.
    ///   - routes: All routes.
    init(_ route: SourceRoute, among routes: [SourceRoute]) {
        var replacements: [(name: [UInt8], origin: [UInt8])] = []
        for other in [route] + routes {
            for name in other.names {
                for form in Self.forms { replacements.append((Array(form(name).utf8), Array(form(other.origin).utf8))) }
            }
        }
        self.replacements = replacements
    }

    /// Plain, as JSON may escape it, and as part of a query.
    private static let forms: [@Sendable (String) -> String] = [
        { $0 }, { $0.replacing("/", with: "\\/") }, { PercentEncoding.segment($0) },
    ]

    /// Rewrites the addresses in headers, and in a body that is in memory.
    func lead(back response: inout HTTPResponse) {
        for at in response.headers.fields.indices {
            let value = response.headers.fields[at].value
            if let changed = changed(Array(value.utf8)) {
                response.headers.fields[at].value = String(decoding: changed, as: UTF8.self)
            }
        }
        if let changed = response.body.withBytes({ changed(Array($0)) }) { response.body = JSONBuffer(changed) }
    }

    /// The bytes with addresses rewritten; `nil` if there are none to rewrite.
    private func changed(_ bytes: [UInt8]) -> [UInt8]? {
        var output: [UInt8] = []
        var copied = 0
        var at = 0
        while let start = bytes[at...].firstIndex(of: UInt8(ascii: "h")) {
            at = start + 1
            guard let found = replacements.first(where: { stands($0.name, in: bytes, at: start) }) else { continue }
            output += bytes[copied..<start]
            output += found.origin
            at = start + found.name.count
            copied = at
        }
        return copied == 0 ? nil : output + bytes[copied...]
    }

    /// Whether a complete name is at this position: port 80 is not the beginning of port 8080.
    private func stands(_ name: [UInt8], in bytes: [UInt8], at start: Int) -> Bool {
        guard bytes[start...].starts(with: name) else { return false }
        guard start + name.count < bytes.count else { return true }
        let next = bytes[start + name.count]
        return !URLCharacters.isAlphanumeric(next) && next != UInt8(ascii: "-") && next != UInt8(ascii: ":")
    }
}
