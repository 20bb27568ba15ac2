internal import Cryptography
package import CurlTransport
package import LosslessJSON
internal import PlugCore
package import PlugStorage

/// A request as a handler gets it: the caller is known and has access, and the body was read within its limits.
package struct HostRequest: Sendable {
    /// The method as sent.
    package let method: String
    /// The path as sent, without the query.
    package let path: String
    /// The query as sent.
    package let rawQuery: String
    /// The query's fields in their order.
    package let query: [(name: String, value: String)]
    /// The values of the names in the route's path.
    package let parameters: [String: String]
    /// The headers.
    package let headers: HTTPHeaders
    /// The caller.
    package let visitor: Visitor
    /// The connection that the path names: one that the visitor may see.
    package let connection: Connection?
    /// This browser's secret, logged in or not.
    package let browser: BrowserSecret
    /// The body, if the route accepts one.
    package let body: [UInt8]
    /// The form's fields in their order, if the route accepts a form.
    package let form: [(name: String, value: String)]
    /// The host's address, such as `https://plugs.example.org`, without a trailing slash.
    package let origin: String
    /// Whether no one can eavesdrop: it came over TLS, or from this machine.
    let isPrivate: Bool
    /// How this host's cookies are written.
    let cookie: BrowserCookie

    /// The value of a path parameter.
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
    /// - Throws: `HostRefusal` (400) if it is not one.
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

    /// The token for forms on a page for this browser, so that no other site can send them.
    package var formToken: String { browser.formToken }

    /// Checks that a login would not cross a network in clear text, where anyone on it could steal the session. Every route that
    /// logs a visitor in begins with it.
    ///
    /// - Throws: `HostRefusal` (403) otherwise.
    package func demandPrivacy() throws {
        if !isPrivate { throw HostRefusal.logInOpen }
    }

    /// A page. If it has a form, its browser gets a cookie unless it has one.
    package func page(_ page: Page) -> HostAnswer {
        var answer = page.answer(for: self)
        if page.hasForm, browser.isNew { answer.cookie = .set(browser, seconds: nil) }
        return answer
    }
}
