import LosslessJSON
import PlugModules

/// The emails of an account, over JMAP (RFC 8620 and RFC 8621).
///
/// The first pass records the account's state, and walks a query. Later ones ask what has changed since that state, and then for
/// the emails themselves. A session gives the addresses for both; errors are inside responses with the status 200.
struct JMAPEmails: StreamFetcher {
    // Written out: deriving it from the type takes as long as loading a manifest, at each start.
    static let name = "JMAPEmails"
    /// How many emails one request asks for.
    private static let size = 50
    private static let core = "urn:ietf:params:jmap:core"
    private static let mail = "urn:ietf:params:jmap:mail"
    private static let properties = [
        "id", "threadId", "mailboxIds", "keywords", "size", "receivedAt", "sentAt", "messageId", "inReplyTo", "from",
        "to", "cc", "subject", "preview", "hasAttachment",
    ]

    private let context: FetchContext
    private let sessionPath: String
    private var session: (api: String, account: String)?

    init(_ context: FetchContext) throws {
        self.context = context
        guard let path = context.options["session"]?.stringText else {
            throw FetchError(
                .configuration,
                "'swift.options' has no 'session'",
                advice: "write the address of the JMAP session, such as session: /jmap/session"
            )
        }
        sessionPath = path
    }

    mutating func page(after cursor: JSONValue?) async throws -> StreamPage {
        guard let state = cursor?["state"]?.stringText else { return try await firstPage() }
        if let last = cursor?["after"]?.stringText { return try await queryPage(state, after: last) }
        return try await changesPage(since: state)
    }

    // MARK: - The first pass

    /// The first page of the query. The state is taken before it, so that the next pass finds concurrent changes.
    private mutating func firstPage() async throws -> StreamPage {
        let answers = try await call([("Email/get", ["ids": .array([]), "properties": .array([.text("id")])])])
        guard let state = answers[0]["state"]?.stringText else { throw lacks("state", "Email/get") }
        return try await queryPage(state, after: nil)
    }

    private mutating func queryPage(_ state: String, after last: String?) async throws -> StreamPage {
        var query: JSONObject = [
            "sort": .array([.members(("property", .text("receivedAt")), ("isAscending", .bool(true)))]),
            "limit": .integer(Self.size),
        ]
        if let last { (query["anchor"], query["anchorOffset"]) = (.text(last), .integer(1)) }
        let answers = try await call([("Email/query", query), ("Email/get", emails(of: "Email/query", "/ids", in: 0))])
        guard let ids = answers[0]["ids"]?.elements, let list = answers[1]["list"]?.elements else {
            throw lacks("ids", "Email/query")
        }
        guard ids.count == Self.size, let end = ids.last else {
            return StreamPage(list, cursor: .members(("state", .text(state))), isLast: true)
        }
        return StreamPage(list, cursor: .members(("state", .text(state)), ("after", end)), isLast: false)
    }

    // MARK: - What has changed

    private mutating func changesPage(since state: String) async throws -> StreamPage {
        let changes: JSONObject = ["sinceState": .text(state), "maxChanges": .integer(Self.size)]
        let answers = try await call([
            ("Email/changes", changes),
            ("Email/get", emails(of: "Email/changes", "/created", in: 0)),
            ("Email/get", emails(of: "Email/changes", "/updated", in: 0)),
        ])
        guard let new = answers[0]["newState"]?.stringText else { throw lacks("newState", "Email/changes") }
        let gone = (answers[0]["destroyed"]?.elements ?? []).map {
            JSONValue.members(("id", $0), ("destroyed", .bool(true)))
        }
        let list = answers[1...].flatMap { $0["list"]?.elements ?? [] }
        let hasMore = answers[0]["hasMoreChanges"]?.bool == true
        return StreamPage(list + gone, cursor: .members(("state", .text(new))), isLast: !hasMore)
    }

    // MARK: - Calls

    /// The arguments of a call that takes its ids from the response to an earlier one.
    private func emails(of method: String, _ path: String, in call: Int) -> JSONObject {
        [
            "#ids": .members(("resultOf", .text("\(call)")), ("name", .text(method)), ("path", .text(path))),
            "properties": .array(Self.properties.map(JSONValue.text)),
        ]
    }

    /// Makes several calls with one request.
    ///
    /// - Returns: The arguments of their responses, in order.
    private mutating func call(_ calls: [(name: String, arguments: JSONObject)]) async throws -> [JSONValue] {
        let session = try await openSession()
        let list = calls.enumerated().map { at, call in
            var arguments = call.arguments
            arguments["accountId"] = .text(session.account)
            return JSONValue.array([.text(call.name), .object(arguments), .text("\(at)")])
        }
        let body = JSONValue.members(
            ("using", .array([.text(Self.core), .text(Self.mail)])),
            ("methodCalls", .array(list))
        )
        let request = FetchRequest(
            session.api,
            method: "POST",
            headers: ["Content-Type": "application/json"],
            body: Array(body.compactText.utf8)
        )
        let answer = try await context.send(request).json()
        let responses = answer["methodResponses"]?.elements ?? []
        var found: [JSONValue] = []
        for (at, call) in calls.enumerated() {
            guard responses.indices.contains(at), let parts = responses[at].elements, parts.count == 3 else {
                throw lacks("methodResponses", call.name)
            }
            if parts[0].stringText == "error" { throw refused(call.name, parts[1]) }
            found.append(parts[1])
        }
        return found
    }

    private mutating func openSession() async throws -> (api: String, account: String) {
        if let session { return session }
        let answer = try await context.send(FetchRequest(sessionPath)).json()
        guard let api = answer["apiUrl"]?.stringText else { throw lacks("apiUrl", "the session") }
        guard let account = answer["primaryAccounts"]?[Self.mail]?.stringText else {
            throw FetchError(
                .authorisation,
                "the token does not allow reading email",
                advice: "make one with the scope 'Email'"
            )
        }
        session = (api, account)
        return (api, account)
    }

    /// The meaning of a method's error (RFC 8620, 3.6.2; RFC 8621, 4).
    private func refused(_ method: String, _ error: JSONValue) -> FetchError {
        let type = error["type"]?.stringText ?? "unknown"
        let message = "\(method) was answered with the error '\(type.prefix(60))'"
        switch type {
        case "cannotCalculateChanges", "anchorNotFound": return FetchError(.cursorRefused, message)
        case "serverUnavailable", "serverFail", "serverPartialFail", "rateLimit": return FetchError(.later, message)
        case "forbidden", "accountNotFound", "accountNotSupportedByMethod": return FetchError(.authorisation, message)
        default: return FetchError(.data, message)
        }
    }

    private func lacks(_ member: String, _ what: String) -> FetchError {
        FetchError(.data, "the answer to \(what) has no '\(member)'")
    }
}
