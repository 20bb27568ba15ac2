import CurlTransport
import LosslessJSON
import PlugCore

/// Reads a fixture; the first error ends it, with its place.
struct CassetteReader {
    let path: String
    let bytes: [UInt8]

    func cassette() throws(PlugError) -> Cassette {
        let root = try LocatedJSON(path: path, bytes: bytes)
        var cassette = Cassette(path: path, config: JSONObject(), stream: nil, now: Cassette.defaultNow, exchanges: [])
        var hasExchanges = false
        let known = [
            "config", "stream", "now", "pages", "passes", "grant", "before", "check", "fails", "archives", "exchanges",
        ]
        for (key, value) in try root.members("a fixture", known: known) {
            switch key {
            case "config":
                for (name, answer) in try value.members("'config'", known: nil) {
                    cassette.config[JSONString(name)] = answer.view.value
                    cassette.places["config.\(name)"] = answer.place
                }
            case "stream":
                cassette.stream = try value.text("'stream'")
                cassette.places["stream"] = value.place
            case "now":
                guard let moment = Timestamp(try value.text("'now'")) else {
                    throw value.wrong("'now' is not a time", help: "write it as \"2026-01-01T00:00:00Z\"")
                }
                cassette.now = moment.microseconds
            case "pages":
                guard let number = value.view.number?.int64, (1...1_000_000).contains(number) else {
                    throw value.wrong("'pages' must be a number from 1 to 1000000")
                }
                cassette.pages = Int(number)
            case "passes":
                guard let number = value.view.number?.int64, (1...100).contains(number) else {
                    throw value.wrong("'passes' must be a number from 1 to 100")
                }
                cassette.passes = Int(number)
            case "grant": cassette.grant = try grant(value)
            case "check":
                cassette.account = .some(value.view.kind == .null ? nil : try value.text("'check'"))
                cassette.places["check"] = value.place
            case "fails":
                cassette.failure = try failure(value)
                cassette.places["fails"] = value.place
            case "archives":
                for (key, path) in try value.members("'archives'", known: nil) {
                    let text = try path.text("an archive")
                    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
                    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
                        throw path.wrong("an archive must be a file or a folder below the fixture's folder")
                    }
                    cassette.archiveNames.append((key, text))
                    cassette.places["config.\(key)"] = path.place
                }
            case "before":
                for (stream, identities) in try value.members("'before'", known: nil) {
                    var found: [String] = []
                    for identity in try identities.elements("'\(stream)'") {
                        found.append(try identity.text("an '_id'"))
                    }
                    cassette.before[stream] = found
                    cassette.places["before.\(stream)"] = identities.place
                }
            default:
                hasExchanges = true
                for element in try value.elements("'exchanges'") { cassette.exchanges.append(try exchange(element)) }
            }
        }
        guard hasExchanges || !cassette.archiveNames.isEmpty else {
            throw root.wrong("a fixture needs 'exchanges', or 'archives'")
        }
        return cassette
    }

    private func failure(_ node: LocatedJSON) throws(PlugError) -> Cassette.Failure {
        var failure = Cassette.Failure(code: "")
        for (key, value) in try node.members("'fails'", known: ["code", "says"]) {
            if key == "code" {
                failure.code = try value.text("'code'")
            } else {
                failure.says = try value.text("'says'")
            }
        }
        guard !failure.code.isEmpty else {
            throw node.wrong("'fails' needs 'code'", help: "write the code of the error, such as \"source-refused\"")
        }
        return failure
    }

    private func grant(_ node: LocatedJSON) throws(PlugError) -> ReplayedGrant {
        var grant = ReplayedGrant()
        for (key, value) in try node.members("'grant'", known: ["access_token", "refresh_token", "expires", "keep"]) {
            if key == "keep" {
                for (name, kept) in try value.members("'keep'", known: nil) {
                    grant.values[name] = try kept.text("'\(DisplayText.escaped(name))'")
                }
                continue
            }
            let text = try value.text("'\(key)'")
            switch key {
            case "access_token": grant.accessToken = text
            case "refresh_token": grant.refreshToken = text
            default:
                guard let moment = Timestamp(text) else {
                    throw value.wrong("'expires' is not a time", help: "write it as \"2026-01-01T00:00:00Z\"")
                }
                grant.expires = moment.microseconds
            }
        }
        return grant
    }

    private func exchange(_ node: LocatedJSON) throws(PlugError) -> Cassette.Exchange {
        var request: (method: String, url: HTTPURL, headers: [HTTPHeader], body: JSONValue?)?
        var response: (status: Int, headers: [HTTPHeader], body: [UInt8])?
        var (ignored, ignoredBody): ([String], [String]) = ([], [])
        let known = ["request", "ignoreQuery", "ignoreBody", "response"]
        for (key, value) in try node.members("an exchange", known: known) {
            switch key {
            case "request": request = try self.request(value)
            case "response": response = try self.response(value)
            default:
                for name in try value.elements("'\(key)'") {
                    let text = try name.text("a name in '\(key)'")
                    if key == "ignoreQuery" { ignored.append(text) } else { ignoredBody.append(text) }
                }
            }
        }
        guard let request else { throw node.wrong("an exchange needs 'request'") }
        guard let response else { throw node.wrong("an exchange needs 'response'") }
        return Cassette.Exchange(
            method: request.method,
            url: request.url,
            requestBody: request.body,
            requestHeaders: request.headers,
            ignoredBody: ignoredBody,
            ignoredQuery: ignored,
            status: response.status,
            headers: response.headers,
            body: response.body,
            line: node.line
        )
    }

    private func request(
        _ node: LocatedJSON
    ) throws(PlugError) -> (method: String, url: HTTPURL, headers: [HTTPHeader], body: JSONValue?) {
        var method = "GET"
        var url: HTTPURL?
        var headers: [HTTPHeader] = []
        var body: JSONValue?
        for (key, value) in try node.members("'request'", known: ["method", "url", "headers", "body"]) {
            switch key {
            case "method":
                method = try value.text("'method'")
                guard !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                    throw value.wrong("'method' must be a word in capitals, such as GET")
                }
            case "url":
                let text = try value.text("'url'")
                do throws(HTTPError) { url = try HTTPURL(text) } catch {
                    throw value.wrong("'url' is not a valid address: \(error.message)")
                }
            case "headers":
                for (name, value) in try value.members("'headers'", known: nil) {
                    headers.append(try header(name, value))
                }
            default: body = value.view.value
            }
        }
        guard let url else { throw node.wrong("'request' needs 'url'") }
        return (method, url, headers, body)
    }

    private static let answerKeys = ["status", "headers", "body", "bodyText", "bodyBase64"]

    private func body(_ key: String, _ value: LocatedJSON) throws(PlugError) -> [UInt8] {
        switch key {
        // JSON is answered exactly as in the file, so that numbers keep their digits.
        case "body": return value.view.slice
        case "bodyText": return Array(try value.text("'bodyText'").utf8)
        default:
            guard let bytes = Base64.decoded(try value.text("'bodyBase64'").filter { !$0.isWhitespace }) else {
                throw value.wrong("'bodyBase64' is not base64")
            }
            return bytes
        }
    }

    private func response(
        _ node: LocatedJSON
    ) throws(PlugError) -> (status: Int, headers: [HTTPHeader], body: [UInt8]) {
        var status: Int?
        var headers: [HTTPHeader] = []
        var body: [UInt8]?
        for (key, value) in try node.members("'response'", known: Self.answerKeys) {
            switch key {
            case "status":
                guard let number = value.view.number?.int64, (200...599).contains(number) else {
                    throw value.wrong("'status' must be a number from 200 to 599")
                }
                status = Int(number)
            case "headers":
                for (name, value) in try value.members("'headers'", known: nil) {
                    let values = value.view.kind == .array ? try value.elements(name) : [value]
                    for value in values { headers.append(try header(name, value)) }
                }
            default:
                guard body == nil else {
                    throw value.wrong("an answer has one body: 'body', 'bodyText' or 'bodyBase64'")
                }
                body = try self.body(key, value)
            }
        }
        guard let status else { throw node.wrong("'response' needs 'status'") }
        return (status, headers, body ?? [])
    }

    private func header(_ name: String, _ value: LocatedJSON) throws(PlugError) -> HTTPHeader {
        let text = try value.text("the header '\(DisplayText.escaped(name))'")
        let isName = !name.isEmpty && name.utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ":") }
        guard isName, text.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw value.wrong("the header '\(DisplayText.escaped(name))' cannot be sent")
        }
        return HTTPHeader(name, text)
    }
}
