internal import HTTPTypes
internal import Hummingbird
internal import LosslessJSON
internal import NIOCore
internal import PDAWire
internal import PlugCore

/// A response to a client.
struct Answer: Sendable {
    var status: Int
    var type: String
    var body: [UInt8]
    var headers: [(name: String, value: String)] = []

    static let json = "application/json"
    static let html = "text/html; charset=UTF-8"

    init(_ status: Int = 200, type: String = json, body: [UInt8]) {
        self.status = status
        self.type = type
        self.body = body
    }

    init(_ value: JSONValue) { self.init(200, value) }

    init(_ status: Int, _ value: JSONValue) {
        var body: [UInt8] = []
        value.write(to: &body)
        self.init(status, body: body)
    }

    /// `{"message": TEXT}`
    static func message(_ text: String, status: Int = 200) -> Answer {
        Answer(status, .object(["message": .text(text)]))
    }

    static func redirect(to path: String) -> Answer {
        var answer = Answer(303, type: html, body: [])
        answer.headers.append(("Location", path))
        return answer
    }

    /// The HTTP library's form of it.
    func response(isHead: Bool) -> Response {
        var fields = HTTPFields()
        fields[.contentType] = type
        for header in headers {
            guard let name = HTTPField.Name(header.name) else { continue }
            fields.append(HTTPField(name: name, value: header.value))
        }
        let response = Response(
            status: .init(code: status),
            headers: fields,
            body: .init(byteBuffer: ByteBuffer(bytes: body))
        )
        return isHead ? response.createHeadResponse() : response
    }
}

/// A request that ends with an error body.
struct Refusal: Error, Sendable {
    var status: Int
    var failure: PDAFailure

    /// E1: from a controller.
    static func application(_ status: Int, _ title: String, _ cause: String, details: [String] = []) -> Refusal {
        Refusal(status: status, failure: PDAFailure(.application, title: title, cause: cause, details: details))
    }

    /// E2: from the framework.
    static func framework(_ status: Int, _ title: String, _ message: String) -> Refusal {
        Refusal(status: status, failure: PDAFailure(.framework, title: title, cause: message))
    }

    static func badRequest(_ message: String) -> Refusal { framework(400, "Bad Request", message) }
    static let notAuthenticated = framework(401, PDACause.notAuthenticated, PDACause.notAuthenticated)
    static let forbidden = framework(403, "Forbidden", PDACause.accessDenied)

    /// The answer; framework errors take the client's preference into account.
    func answer(prefersHTML: Bool) -> Answer {
        guard failure.form == .framework else { return Answer(status, failure.body) }
        var answer: Answer
        switch (prefersHTML, status) {
        case (true, 401), (true, 403): answer = .redirect(to: "/")
        case (true, _): answer = HTMLError(status: status, title: failure.title, message: failure.cause).answer
        case (false, _): answer = Answer(status, failure.body)
        }
        answer.headers.append(("Vary", "Accept"))
        return answer
    }
}

/// A body that is valid JSON but not what the route takes: `{"error": "Bad Request", "message": {PATH: [{"msg": […]}]}}`.
struct ShapeRefusal: Error, Sendable {
    var path: String
    var code: String

    var answer: Answer {
        let reason = JSONObject([("msg", .array([.text(code)])), ("args", .array([]))])
        let message = JSONObject([(JSONString(path), .array([.object(reason)]))])
        var answer = Answer(400, .object(JSONObject([("error", .text("Bad Request")), ("message", .object(message))])))
        answer.headers.append(("Vary", "Accept"))
        return answer
    }
}

/// An error that the reference server gives as HTML, whatever the client prefers.
struct HTMLError: Error, Sendable {
    var status: Int
    var title: String
    var message: String

    static let unsupportedType = HTMLError(
        status: 415,
        title: "Unsupported Media Type",
        message: "Expecting text/json or application/json body"
    )
    static func tooLarge(_ limit: Int) -> HTMLError {
        HTMLError(
            status: 413,
            title: "Request Entity Too Large",
            message: "Request body exceeds \(limit) bytes"
        )
    }

    var answer: Answer {
        let html: HTML = """
            <!DOCTYPE html>
            <html lang="en"><head><title>\(title)</title></head><body><h1>\(title)</h1><p>\(message)</p></body></html>

            """
        return Answer(status, type: Answer.html, body: Array(html.text.utf8))
    }
}

/// Reads `Accept`.
enum AcceptHeader {
    /// Whether the client's preferred range is not JSON. An absent header and `*/*` count as JSON.
    static func prefersHTML(_ header: String?) -> Bool {
        guard let header else { return false }
        var best: (range: String, quality: Double)?
        for part in header.split(separator: ",") {
            let pieces = part.split(separator: ";").map { $0.trimmed }
            guard let range = pieces.first, !range.isEmpty else { continue }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            if quality > (best?.quality ?? 0) { best = (range.lowercased(), quality) }
        }
        guard let best else { return false }
        return !["*/*", "application/*", "application/json"].contains(best.range)
    }
}

extension StringProtocol {
    /// Without leading and trailing spaces and tabs.
    var trimmed: String {
        var text = Substring(self)
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
