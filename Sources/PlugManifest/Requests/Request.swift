/// The request for a page.
package struct Request: Sendable {
    /// The HTTP method.
    package enum Method: String, Sendable, CaseIterable {
        /// GET
        case get = "GET"
        /// POST
        case post = "POST"
        /// PUT, for services that use it to read, as others do with POST.
        case put = "PUT"
        /// PATCH, likewise.
        case patch = "PATCH"
        /// PROPFIND (RFC 4918).
        case propfind = "PROPFIND"
        /// REPORT (RFC 3253), as used by CalDAV and CardDAV.
        case report = "REPORT"
        /// SEARCH (RFC 5323).
        case search = "SEARCH"
        /// QUERY: a GET with a body.
        case query = "QUERY"

        /// Methods that plughost does not send, and why.
        static let refused: [String: String] = {
            let changing = "plughost reads from a service and changes nothing there: it does not send this method"
            let silent = "the answers to this method hold no records: write GET"
            return Dictionary(
                uniqueKeysWithValues: ["DELETE", "PROPPATCH", "MKCOL", "MKCALENDAR", "COPY", "MOVE", "LOCK", "UNLOCK"]
                    .map { ($0, changing) } + ["HEAD", "OPTIONS", "TRACE", "CONNECT"].map { ($0, silent) }
            )
        }()

        /// Whether it is safe by definition, so that a redirect is followed with the same method and body (RFC 9110, 9.2.1).
        package var isSafe: Bool {
            switch self {
            case .get, .propfind, .report, .search, .query: true
            case .post, .put, .patch: false
            }
        }
    }

    /// How a list is written as parameters.
    package enum ArrayStyle: String, Sendable, CaseIterable {
        /// `ids=1&ids=2`
        case `repeat`
        /// `ids[]=1&ids[]=2`
        case brackets
        /// `ids=1,2`
        case comma
    }

    /// The HTTP method.
    package var method: Method
    /// The path below `http.base`. Inside a path a template fills one segment; a template on its own is a URL reference.
    package var path: Template
    /// Query parameters, in file order. A value that renders to `null` leaves the parameter out.
    package var query: [(name: String, value: Template)]
    /// Headers, after those of `http`, in file order.
    package var headers: [(name: String, value: Template)]
    /// How a list in the query or in a form is written.
    package var arrays: ArrayStyle
    /// A JSON body; for GraphQL an object with `query` and `variables`.
    package var json: JSONTemplate?
    /// The fields of a form body, in file order.
    package var form: [(name: String, value: Template)]?
    /// A body of plain text.
    package var text: Template?
    /// Whether the body is a GraphQL query: an answer with `errors` is then an error, whatever its status.
    package var isGraphQL: Bool

    /// Whether parameters can be added to its JSON body. One is created for them if there is none, but not for a GET: that has a
    /// body only if the manifest writes one.
    package var takesJSON: Bool { form == nil && text == nil && (method != .get || json != nil) }

    /// The roots that its templates use, such as `config` and `since`.
    package var usedRoots: Set<String> {
        let templates = [path, text].compactMap(\.self) + (query + headers + (form ?? [])).map(\.value)
        return templates.reduce(into: json?.usedRoots ?? []) { $0.formUnion($1.usedGlobals) }
    }

    /// The constant of the request that is a number and equals one, by its name: `count` of `count: 100`. Small numbers equal
    /// others by chance.
    package func constant(equal number: Int) -> String? {
        guard number >= 10 else { return nil }
        let text = String(number)
        let parameters = query + (form ?? [])
        if let (name, _) = parameters.first(where: { $0.value.isConstant && $0.value.source == text }) { return name }
        if let name = path.constants(equal: text) { return name }
        return json?.name(of: text)
    }
}

extension Template {
    /// The parameter of a path that has this constant as its value: `limit` of `/items?limit=100`.
    fileprivate func constants(equal number: String) -> String? {
        for case .text(let text) in parts {
            let words = text.split(whereSeparator: { "?&".contains($0) })
            if let word = words.first(where: { $0.hasSuffix("=\(number)") }) {
                return String(word.prefix { $0 != "=" })
            }
        }
        return nil
    }
}
