internal import CurlTransport
internal import LosslessJSON
internal import PlugCore

/// A fixture as written: `Plugs/README.md` defines its format.
struct CassetteText {
    var config: JSONObject
    var stream: String?
    var now: Int64
    /// The number of pages read of each stream; `nil` for all.
    var pages: Int?
    var grantValues: [String: String]
    var exchanges: [(request: HTTPRequest, answer: CleanAnswer)]
    /// The requests of a second reading: what differs is random.
    var again: [HTTPRequest]

    /// The file.
    var bytes: [UInt8] { Array((PrettyJSON().text(json) + "\n").utf8) }

    private var json: JSONValue {
        var object = JSONObject()
        if config.count > 0 { object["config"] = .object(config) }
        if let stream { object["stream"] = .text(stream) }
        object["now"] = .text(Timestamp(microseconds: now).rfc3339)
        if let pages { object["pages"] = .integer(pages) }
        if !grantValues.isEmpty {
            let kept = grantValues.sorted { $0.key < $1.key }.map { (JSONString($0.key), JSONValue.text($0.value)) }
            object["grant"] = .members(
                ("access_token", .text("fixture-access-token")),
                ("keep", .object(JSONObject(kept)))
            )
        }
        object["exchanges"] = .array(
            exchanges.enumerated().map { at, exchange in
                json(exchange.request, exchange.answer, again: at < again.count ? again[at] : nil)
            }
        )
        return .object(object)
    }

    private func json(_ request: HTTPRequest, _ answer: CleanAnswer, again: HTTPRequest?) -> JSONValue {
        var asked = JSONObject([("method", .text(request.method)), ("url", .text(request.url))])
        let body = request.body.flatMap { $0.isEmpty ? nil : $0 }
        asked["body"] = body.map { (try? JSONValue(parsing: $0)) ?? .text(String(decoding: $0, as: UTF8.self)) }
        var object = JSONObject([("request", .object(asked))])
        let chances = again.map { (Self.query(request, $0), Self.body(request, $0)) } ?? ([], [])
        if !chances.0.isEmpty { object["ignoreQuery"] = .array(chances.0.map { .text($0) }) }
        if !chances.1.isEmpty { object["ignoreBody"] = .array(chances.1.map { .text($0) }) }
        var response = JSONObject([("status", .integer(answer.status))])
        if !answer.headers.isEmpty { response["headers"] = Self.headers(answer.headers) }
        switch answer.body {
        case .json(let value): response["body"] = value
        case .text(let text): response["bodyText"] = .text(text)
        case .none: break
        }
        object["response"] = .object(response)
        return .object(object)
    }

    private static func headers(_ headers: [HTTPHeader]) -> JSONValue {
        var object = JSONObject()
        for header in headers {
            let key = JSONString(header.name)
            guard let earlier = object[key] else {
                object[key] = .text(header.value)
                continue
            }
            object[key] = .array((earlier.elements ?? [earlier]) + [.text(header.value)])
        }
        return .object(object)
    }

    /// Query parameters whose values differ.
    private static func query(_ first: HTTPRequest, _ second: HTTPRequest) -> [String] {
        let queries = [first, second].map { (try? HTTPURL($0.url))?.query ?? "" }
        return differing(fields(queries[0]), fields(queries[1]))
    }

    /// Form fields, or members of a JSON body, whose values differ.
    private static func body(_ first: HTTPRequest, _ second: HTTPRequest) -> [String] {
        guard let body = first.body, let other = second.body, body != other else { return [] }
        if let value = try? JSONValue(parsing: body).object, let other = try? JSONValue(parsing: other) {
            return value.members.filter { other[$0.key.text] != $0.value }.map(\.key.text)
        }
        return differing(fields(String(decoding: body, as: UTF8.self)), fields(String(decoding: other, as: UTF8.self)))
    }

    private static func fields(_ text: String) -> [(name: String, value: String)] { FormText.decode(text) ?? [] }

    private static func differing(_ first: [(name: String, value: String)], _ second: [(name: String, value: String)])
        -> [String]
    {
        guard first.map(\.name) == second.map(\.name) else { return [] }
        var names: [String] = []
        for (one, other) in zip(first, second) where one.value != other.value && !names.contains(one.name) {
            names.append(one.name)
        }
        return names
    }
}
