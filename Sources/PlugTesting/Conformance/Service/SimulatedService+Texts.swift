import CurlTransport
import LosslessJSON

// What a simulated service writes and reads besides its pages.
extension SimulatedService {
    /// An answer as badly written services give it: the message repeats what was sent.
    static func quoting(_ request: HTTPRequest, _ asked: AskedRequest) -> [UInt8] {
        let sent = request.headers.map { "\($0.name): \($0.value)" } + [text(asked)]
        let message = JSONValue.text("cannot serve \(sent.joined(separator: "; "))")
        return RecordProbe.bytes(
            .members(
                ("message", message),
                ("error", .members(("message", message), ("detail", message))),
                ("detail", message),
                ("errors", .array([.members(("message", message))]))
            )
        )
    }

    /// A request in one line, with its body.
    static func text(_ asked: AskedRequest) -> String {
        let body = asked.body.map { " \(String(decoding: $0, as: UTF8.self))" } ?? ""
        return "\(asked.method) \(asked.url)\(body)"
    }

    /// A token for the page of a list that begins at a record; no other text resembles it.
    static func token(_ series: Int, _ start: Int, _ generation: Int) -> String {
        "page\(generation)x\(series)x\(start)z"
    }

    /// The same as a number.
    static func number(_ series: Int, _ start: Int) -> String { String(700_000_000 + series * 10_000 + start) }

    /// A token for what comes after a run.
    static func sync(_ generation: Int, _ series: Int) -> String { "sync\(generation)x\(series)z" }

    /// The headers of an answer.
    static func fields(_ headers: JSONValue) -> [HTTPHeader] {
        headers.object?.members.map { HTTPHeader($0.key.text, $0.value.stringText ?? "") } ?? []
    }

    /// An answer.
    static func response(
        _ status: Int,
        _ headers: [HTTPHeader],
        _ body: [UInt8],
        _ url: HTTPURL
    ) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: HTTPHeaders(headers),
            body: JSONBuffer(body),
            receivedBytes: body.count,
            url: url.description
        )
    }
}
