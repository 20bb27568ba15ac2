import CurlTransport
import LosslessJSON
import PDAWire
import Synchronization

/// What goes wrong with one request.
enum Fault: CaseIterable, Sendable {
    case none, lostBefore, lostAfter, failsBefore, failsAfter, later, rateExceeded, busyDatabase, html200, html201
    case brokenEcho, shortEcho, foreignEcho, tooLarge, escapedEcho
    // These end a run.
    case unauthorised, forbidden, noSuchPath, login, elsewhere, badCertificate, noSuchHost, noConnection
    case html400, html403, invalid

    static let passing: [Fault] = [
        .lostBefore, .lostAfter, .failsBefore, .failsAfter, .later, .rateExceeded, .busyDatabase, .html200, .html201,
        .brokenEcho, .shortEcho, .foreignEcho, .tooLarge, .html400,
    ]
}

/// A PDA that keeps what it is given as the reference server does: unique over everything, strict or skipping errors,
/// echoing in its database's order of keys. It refuses anything but an append.
final class ModelPDA: HTTPSending {
    struct State {
        var stored: [JSONValue] = []
        var present: Set<JSONValue> = []
        var log: [String] = []
        var bodies: [[UInt8]] = []
        var violations: [String] = []
    }

    let state = Mutex(State())
    private let faults: @Sendable (Int) -> Fault
    private let refusesAll: Bool
    /// How it fails at requests that hold a record with the member `stumble`.
    private let stumble: Fault
    private let maximumBytes: Int
    private let token: String

    init(
        before: [JSONValue] = [],
        maximumBytes: Int = 10 << 20,
        token: String = "token",
        refusesAll: Bool = false,
        stumble: Fault = .failsBefore,
        faults: @escaping @Sendable (Int) -> Fault = { _ in .none }
    ) {
        self.faults = faults
        self.refusesAll = refusesAll
        self.stumble = stumble
        self.maximumBytes = maximumBytes
        self.token = token
        state.withLock {
            $0.stored = before
            $0.present = Set(before)
        }
    }

    var stored: [JSONValue] { state.withLock { $0.stored } }
    /// `strict 500`, `skip 500`, … in order.
    var log: [String] { state.withLock { $0.log } }
    var violations: [String] { state.withLock { $0.violations } }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        try respond(request).get()
    }

    /// The answer to a request, for whoever carries it.
    func respond(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPError> {
        state.withLock { state in Result { () throws(HTTPError) in try answer(request, &state) } }
    }

    private func answer(_ request: HTTPRequest, _ state: inout State) throws(HTTPError) -> HTTPResponse {
        let path = "https://alice.example/api/v2.6/data/plugs/things/new"
        let skips = request.url == path + "?skipErrors=true"
        let body = request.body ?? []
        let elements = (try? JSONValue(parsing: body))?.elements
        if request.method != "POST" || !(skips || request.url == path) || request.side != .pda {
            state.violations.append("\(request.method) \(request.url)")
        }
        let headers = ["X-Auth-Token: \(token)", "Content-Type: application/json", "Accept: application/json"]
        if request.headers.map({ "\($0.name): \($0.value)" }) != headers { state.violations.append("headers") }
        guard let elements, !elements.isEmpty else {
            state.violations.append("no records")
            return reply(400, #"{"error":"Bad Request","message":"Invalid Json: "}"#)
        }
        let number = state.log.count
        state.log.append("\(skips ? "skip" : "strict") \(elements.count)")
        state.bodies.append(body)
        let fault = elements.contains { $0["stumble"] != nil } ? stumble : faults(number)
        if let early = try beforeStoring(fault) { return early }
        if body.count > maximumBytes { return reply(413, "<html>too large</html>", type: "text/html") }
        let answer = store(elements, skips, &state)
        return try afterStoring(fault, skips, answer)
    }

    private func store(_ elements: [JSONValue], _ skips: Bool, _ state: inout State) -> (Int, [JSONValue], String) {
        var accepted: [JSONValue] = []
        var present = state.present
        for element in elements {
            let isDuplicate = present.contains(element)
            if isDuplicate || refusesAll || element["poison"] != nil {
                if skips { continue }
                return (400, [], isDuplicate ? PDACause.duplicate : PDACause.notInsertable)
            }
            present.insert(element)
            accepted.append(element)
        }
        state.present = present
        state.stored += accepted
        return (201, accepted, "")
    }

    private func beforeStoring(_ fault: Fault) throws(HTTPError) -> HTTPResponse? {
        let html = "<!DOCTYPE html><title>Sign in</title>"
        switch fault {
        case .lostBefore: throw HTTPError(.connectionLost, "the connection ended", mayHaveArrived: true)
        case .noConnection: throw HTTPError(.cannotConnect, "nobody answers at alice.example")
        case .noSuchHost: throw HTTPError(.cannotResolve, "alice.example has no address")
        case .badCertificate: throw HTTPError(.tls, "the certificate of alice.example is not trusted")
        case .failsBefore: return reply(500, #"{"error":"Internal Server error","message":"Server error occurred: 7"}"#)
        case .later: return reply(429, "", headers: [HTTPHeader("Retry-After", "7")])
        case .rateExceeded:
            return reply(400, #"{"message":"Request rate exceeded","cause":"Rate of requests from your IP exceeded"}"#)
        case .busyDatabase: return reply(404, #"{"error":"Not Found","message":"HAT unavailable"}"#)
        case .html200: return reply(200, html, type: "text/html; charset=utf-8")
        case .html201: return reply(201, html, type: "text/html")
        case .html400: return reply(400, html, type: "text/html")
        case .html403: return reply(403, html, type: "text/html")
        case .invalid: return reply(400, #"{"error":"Bad Request","message":"Invalid Json: "}"#)
        case .tooLarge: return reply(413, html, type: "text/html")
        case .unauthorised: return reply(401, #"{"error":"Not Authenticated","message":"Not Authenticated"}"#)
        case .forbidden: return reply(403, #"{"error":"Forbidden","message":"Access Denied"}"#)
        case .noSuchPath: return reply(404, #"{"error":"Handler Not Found","message":"Request handler"}"#)
        case .login: return reply(303, "", headers: [HTTPHeader("Location", "/")])
        case .elsewhere: return reply(308, "", headers: [HTTPHeader("Location", "https://bob.example/")])
        default: return nil
        }
    }

    private func afterStoring(
        _ fault: Fault,
        _ skips: Bool,
        _ answer: (Int, [JSONValue], String)
    ) throws(HTTPError) -> HTTPResponse {
        var (status, records, cause) = answer
        switch fault {
        case .lostAfter: throw HTTPError(.timedOut, "no answer in 30 s", mayHaveArrived: true)
        case .failsAfter: return reply(502, "<html>bad gateway</html>", type: "text/html")
        // When skipping errors, nobody can tell such an answer from an honest one.
        case .shortEcho where !skips: records = Array(records.dropLast())
        case .foreignEcho: records = records.map { _ in .object(JSONObject([("_id", .text("somebody's"))])) }
        default: break
        }
        guard status == 201 else {
            return reply(status, #"{"message":"Bad Request","cause":"\#(cause)"}"#)
        }
        var text = "[" + records.map(Self.envelope).joined(separator: ",") + "]"
        if fault == .brokenEcho { text = String(text.dropLast(2)) }
        if fault == .escapedEcho { text = Self.escaped(text) }
        return reply(201, text)
    }

    /// Everything beyond ASCII as `\uXXXX`, as some servers write JSON.
    private static func escaped(_ text: String) -> String {
        text.utf16.map { unit in
            guard unit >= 0x80 else { return String(UnicodeScalar(UInt8(unit))) }
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }.joined()
    }

    private static func envelope(_ record: JSONValue) -> String {
        #"{"endpoint":"plugs/things/new","recordId":"9b0f1b4e","data":\#(jsonb(record).compactText),"links":[]}"#
    }

    /// Shorter keys first, then by bytes; `1.10` loses its zero as it may in another database.
    private static func jsonb(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            let members = object.members.sorted {
                ($0.key.text.utf8.count, $0.key) < ($1.key.text.utf8.count, $1.key)
            }
            return .object(JSONObject(members.map { ($0.key, jsonb($0.value)) }))
        case .array(let elements): return .array(elements.map(jsonb))
        case .number(let number) where number.text == "1.10": return JSONNumber("1.1").map(JSONValue.number) ?? value
        default: return value
        }
    }

    private func reply(
        _ status: Int,
        _ text: String,
        type: String = "application/json",
        headers: [HTTPHeader] = []
    ) -> HTTPResponse {
        let headers = HTTPHeaders([HTTPHeader("content-type", type)] + headers)
        return HTTPResponse(
            status: status,
            headers: headers,
            body: JSONBuffer(Array(text.utf8)),
            sentBytes: 10,
            receivedBytes: 20,
            url: ""
        )
    }
}
