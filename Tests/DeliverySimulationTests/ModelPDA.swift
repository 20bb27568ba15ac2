import CurlTransport
import LosslessJSON
import PDAWire
import PlugCore

/// A person's data account, as the reference server behaves: one hash over a record's content in the whole of it.
struct ModelPDA: Sendable {
    let person: String
    private(set) var stored: [(endpoint: String, record: JSONValue)] = []
    private(set) var present: Set<JSONValue> = []
    private(set) var violations: [String] = []
    private(set) var requests = 0
    /// What each request with a stumbling record comes to, `nil` once it is mended.
    var stumble: Stumble?

    var origin: String { "https://\(person).example" }

    init(person: String) { self.person = person }

    /// The application token of a person.
    static func token(of person: String, issuedAt: Int64) -> Secret {
        var claims = TokenClaims(
            issuer: "\(person).example",
            subject: person,
            identifier: "1",
            issuedAt: issuedAt,
            expires: issuedAt + PDALimit.tokenSeconds
        )
        claims.application = "sim"
        return Secret("e30.\(Base64URL.encode(claims.payload)).c2ln")
    }

    /// Answers a request, or does what goes wrong.
    mutating func answer(
        _ request: HTTPRequest,
        _ fault: PDAFault?,
        wait: Int,
        now: Int64
    ) throws(HTTPError) -> HTTPResponse {
        requests += 1
        switch fault {
        case .limited: return reply(429, #"{"error":"Too Many Requests","message":"slower"}"#)
        case .limitedForSeconds: return reply(429, "{}", ("Retry-After", String(wait)))
        case .failing: return reply(500, #"{"error":"Internal Server Error","message":"oops"}"#)
        case .busy: return reply(503, "", ("Retry-After", Self.date(now + Int64(wait))))
        case .tooSlow: return reply(408, "")
        case .unavailable: return reply(404, #"{"message":"Not Found","cause":"\#(PDACause.unavailable)"}"#)
        case .loginPage: return reply(200, "<html><body>Welcome to the hotel</body></html>")
        case .unauthorised: return reply(401, #"{"error":"Not Authenticated","message":"Not Authenticated"}"#)
        case .unreachable, .down: throw HTTPError(.cannotConnect, "nobody answers at \(person).example:443")
        case .resetBefore: throw HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)
        default: break
        }
        guard let (path, skips) = check(request) else { return reply(403, "{}") }
        let records = (try? JSONValue(parsing: request.body ?? []))?.elements ?? []
        if records.isEmpty { violations.append("a request without records") }
        if let stumble, records.contains(where: { Self.says("stumble", $0) }) { return try fail(stumble) }
        if skips, fault == .halfStored {
            _ = store(Array(records.prefix(records.count / 2)), path, skips: true)
            return reply(500, #"{"error":"Internal Server Error","message":"oops"}"#)
        }
        guard var echo = store(records, path, skips: skips) else {
            let isDuplicate = isDuplicate(records)
            let cause = isDuplicate ? PDACause.duplicate : PDACause.notInsertable
            return reply(400, #"{"message":"Bad Request","cause":"\#(cause)"}"#)
        }
        switch fault {
        case .resetAfter: throw HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)
        case .timedOutAfter: throw HTTPError(.timedOut, "no answer in 30 s", mayHaveArrived: true)
        case .truncatedEcho: throw HTTPError(.truncated, "the answer ended early", mayHaveArrived: true)
        case .failingAfter: return reply(502, "<html>bad gateway</html>")
        case .emptyEcho: echo = []
        case .echoedTwice: echo = echo.flatMap { [$0, $0] }
        default: break
        }
        let text = "[\(echo.map { envelope($0, path) }.joined(separator: ","))]"
        if fault == .halfEcho { return reply(201, String(text.prefix(text.count / 2))) }
        if fault == .newToken {
            return reply(201, text, (PDAHeader.token, Self.token(of: person, issuedAt: now).reveal()))
        }
        return reply(201, text)
    }

    private func fail(_ stumble: Stumble) throws(HTTPError) -> HTTPResponse {
        switch stumble {
        case .failing: return reply(500, #"{"error":"Internal Server Error","message":"oops"}"#)
        case .closed: throw HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)
        case .refusedInHTML: return reply(400, "<html>your request was blocked</html>")
        case .forbiddenInHTML: return reply(403, "<html>your request was blocked</html>")
        }
    }

    // MARK: - Storing

    /// - Returns: What is stored now, `nil` where a strict request stored nothing.
    private mutating func store(_ records: [JSONValue], _ path: String, skips: Bool) -> [JSONValue]? {
        var accepted: [JSONValue] = []
        var present = present
        for record in records {
            if present.contains(record) || Self.isRefused(record) {
                if skips { continue }
                return nil
            }
            present.insert(record)
            accepted.append(record)
        }
        self.present = present
        stored += accepted.map { (path, $0) }
        return accepted
    }

    private static func isRefused(_ record: JSONValue) -> Bool { says("poison", record) }

    /// Whether a record says something of itself; what was decoded has texts only.
    private static func says(_ name: String, _ record: JSONValue) -> Bool {
        record[name]?.bool == true || record[name]?.stringText == "true"
    }

    /// Whether the first thing wrong with a strict request is a duplicate.
    private func isDuplicate(_ records: [JSONValue]) -> Bool {
        var seen = present
        for record in records {
            if seen.contains(record) { return true }
            if Self.isRefused(record) { return false }
            seen.insert(record)
        }
        return false
    }

    // MARK: - The plug's manners

    private mutating func check(_ request: HTTPRequest) -> (path: String, skips: Bool)? {
        guard request.method == "POST", request.side == .pda, let url = try? HTTPURL(request.url),
            url.origin == origin, url.path.hasPrefix("/api/v2.6/data/sim/"),
            url.query == nil || url.query == "skipErrors=true"
        else {
            violations.append("\(request.method) \(request.url) is not for a plug to ask")
            return nil
        }
        let token = request.headers.first { $0.name == PDAHeader.token }?.value ?? ""
        guard let claims = TokenClaims(token: token), claims.subject == person, claims.application == "sim" else {
            violations.append("\(origin) was given another's token")
            return nil
        }
        for record in (try? JSONValue(parsing: request.body ?? []))?.elements ?? []
        where record["owner"]?.stringText != person && record["deleted"]?.bool != true {
            violations.append("\(origin) was given another's record")
            return nil
        }
        return (String(url.path.dropFirst("/api/v2.6/data/".count)), url.query != nil)
    }

    // MARK: - Answers

    /// As PostgreSQL gives `jsonb` back: short keys first, numbers without exponents.
    private func envelope(_ record: JSONValue, _ path: String) -> String {
        let members = (record.object?.members ?? []).sorted { one, other in
            one.key.text.utf8.count != other.key.text.utf8.count
                ? one.key.text.utf8.count < other.key.text.utf8.count : one.key < other.key
        }
        var data = JSONObject()
        for member in members {
            guard let number = member.value.number, number.text.contains("e") else {
                data[member.key] = member.value
                continue
            }
            data[member.key] = JSONNumber(String(Int(number.double))).map { .number($0) }
        }
        let text = JSONValue.object(data).compactText
        return #"{"endpoint":"\#(path)","recordId":"5ac1c1e6-0000-4000-8000-000000000000","data":\#(text)}"#
    }

    private func reply(_ status: Int, _ text: String, _ header: (name: String, value: String)? = nil) -> HTTPResponse {
        let type = text.hasPrefix("<") ? "text/html" : "application/json"
        var headers = [HTTPHeader("content-type", type)]
        if let header { headers.append(HTTPHeader(header.name, header.value)) }
        return HTTPResponse(
            status: status,
            headers: HTTPHeaders(headers),
            body: JSONBuffer(Array(text.utf8)),
            sentBytes: 100,
            receivedBytes: 100 + text.utf8.count,
            url: ""
        )
    }

    /// A moment as `Retry-After` has it.
    static func date(_ seconds: Int64) -> String { Timestamp(seconds: seconds).httpDate }
}

extension Timestamp {
    /// RFC 9110, 5.6.7: `Sun, 06 Nov 1994 08:49:37 GMT`.
    var httpDate: String {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let text = Array(rfc3339.utf8)
        func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
        let month = months[(Int(part(5..<7)) ?? 1) - 1]
        return "\(days[Int(seconds / 86_400 % 7)]), \(part(8..<10)) \(month) \(part(0..<4)) \(part(11..<19)) GMT"
    }
}
