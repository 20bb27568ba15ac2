internal import Cryptography
package import CurlTransport
package import LosslessJSON
internal import PlugCore
package import PlugStorage

/// A request as a handler gets it: who asks is known, they may, and the body was read within its bounds.
package struct HostRequest: Sendable {
    /// The method as sent.
    package let method: String
    /// The path as sent, without the query.
    package let path: String
    /// The query as sent.
    package let rawQuery: String
    /// The query's fields in their order.
    package let query: [(name: String, value: String)]
    /// What the names in the route's path stand for.
    package let parameters: [String: String]
    /// The headers.
    package let headers: HTTPHeaders
    /// Who asks.
    package let visitor: Visitor
    /// The connection that the path names: one that the visitor may see.
    package let connection: Connection?
    /// What this browser is known by, logged in or not.
    package let browser: BrowserSecret
    /// The body, where the route takes one.
    package let body: [UInt8]
    /// The form's fields in their order, where the route takes a form.
    package let form: [(name: String, value: String)]
    /// Where the host is reached, such as `https://plugs.example.org`, without a slash at its end.
    package let origin: String
    /// Whether nobody can read along: it came over TLS, or from this machine.
    let isPrivate: Bool
    /// How this host's cookies are written.
    let cookie: BrowserCookie

    /// The value of a parameter of the path.
    package func parameter(_ name: String) -> String { parameters[name] ?? "" }

    /// The first value of a field of the query.
    package func queried(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The first value of a field of the form.
    package func field(_ name: String) -> String? { form.first { $0.name == name }?.value }

    /// The connection that the path names; the table of routes has looked it up.
    ///
    /// - Throws: `connection-unknown`.
    package func namedConnection() throws -> Connection {
        guard let connection else { throw StoreErrors.connectionUnknown(ConnectionID(parameter("connection"))) }
        return connection
    }

    /// The body as a JSON object.
    ///
    /// - Throws: `HostRefusal` (400) if it is none.
    package func object() throws -> JSONObject {
        do {
            let limits = JSONLimits(depth: 16, bytes: RequestLimits.body, tokens: 20_000)
            let document = try JSONDocument(JSONBuffer(body), limits: limits)
            guard let object = document.root.value.object else { throw HostRefusal.notAnObject }
            return object
        } catch let error as JSONError {
            throw HostRefusal(400, PlugError(.bodyUnreadable, "the body is not valid JSON: \(error)"))
        }
    }

    /// What the forms of a page for this browser carry, so that no other site can send them.
    package var formToken: String { browser.formToken }

    /// Checks that a log-in would not be sent in clear over a network, where anybody on it could take the session. Every route
    /// that logs somebody in begins with it.
    ///
    /// - Throws: `HostRefusal` (403) otherwise.
    package func demandPrivacy() throws {
        if !isPrivate { throw HostRefusal.logInOpen }
    }

    /// A page. Where it has a form, its browser gets a cookie unless it has one.
    package func page(_ page: Page) -> HostAnswer {
        var answer = page.answer(for: self)
        if page.hasForm, browser.isNew { answer.cookie = .set(browser, seconds: nil) }
        return answer
    }
}
