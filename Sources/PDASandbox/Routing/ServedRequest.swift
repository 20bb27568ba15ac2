internal import HTTPTypes
internal import Hummingbird
internal import LosslessJSON
internal import NIOCore
internal import PlugCore

/// A request, with its target taken apart literally: paths are matched undecoded; `//` and a final `/` are kept.
struct ServedRequest: Sendable {
    let method: String
    /// As sent, without the query.
    let path: String
    /// Decoded, in order, repeated keys included.
    let query: [(name: String, value: String)]
    /// As sent, `nil` without a question mark.
    let rawQuery: String?
    /// As sent, with its port.
    let host: String
    /// The sender's address, for the rate limit.
    private(set) var peer = "unknown"
    private let fields: HTTPFields
    private let body: RequestBody
    private let share: BodyShare
    /// Who sends the body.
    var sender = BodySender.anybody

    init(_ request: Request, peer: String?, room: BodyRoom) {
        share = room.share()
        method = request.method.rawValue
        let target = request.head.path ?? "/"
        let mark = target.firstIndex(of: "?")
        path = String(target[..<(mark ?? target.endIndex)])
        rawQuery = mark.map { String(target[target.index(after: $0)...]) }
        query = rawQuery.map { ServedForm.pairs($0) } ?? []
        host = request.head.authority ?? ""
        fields = request.headers
        body = request.body
        // Not `X-Forwarded-For`, which the reference server uses behind its proxy: anyone can send that header.
        self.peer = peer ?? "unknown"
    }

    /// Whether only part of the body was read: no other request can follow on this connection.
    var isCutShort: Bool { share.isCutShort }

    /// Path and query, as sent.
    var target: String { rawQuery.map { "\(path)?\($0)" } ?? path }

    func header(_ name: String) -> String? { HTTPField.Name(name).flatMap { fields[$0] } }

    /// The first value of a query parameter.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The first value of a required parameter.
    func required(_ name: String) throws(Refusal) -> String {
        guard let value = parameter(name) else { throw .badRequest("Missing parameter: \(name)") }
        return value
    }

    func integer(_ name: String) throws(Refusal) -> Int? {
        guard let text = parameter(name), !text.isEmpty else { return nil }
        guard let value = Int32(text) else {
            throw .badRequest("Cannot parse parameter \(name) as Int: For input string: \"\(text)\"")
        }
        return Int(value)
    }

    func boolean(_ name: String) throws(Refusal) -> Bool? {
        switch parameter(name) {
        case nil, "": return nil
        case "true", "1": return true
        case "false", "0": return false
        default: throw .badRequest("Cannot parse parameter \(name) as Boolean: should be true, false, 0 or 1")
        }
    }

    func identifiers(_ name: String) throws(Refusal) -> [String] {
        var identifiers: [String] = []
        for (key, value) in query where key == name && !value.isEmpty {
            guard UUIDText.isValid(value) else {
                throw .badRequest("Cannot parse parameter \(name) as UUID: Invalid UUID string: \(value)")
            }
            identifiers.append(value.lowercased())
        }
        return identifiers
    }

    /// The body as JSON: type, size and grammar are judged before a missing token is reported.
    func json() async throws -> JSONDocument {
        let type = (header("Content-Type") ?? "").prefix { $0 != ";" }.trimmed.lowercased()
        let isJSON = type == "application/json" || type == "text/json"
        let buffer = try await bytes(upTo: isJSON ? sender.limit : 0)
        guard isJSON else { throw HTMLError.unsupportedType }
        guard let buffer else { throw sender.refusal }
        do {
            return try JSONDocument(buffer, limits: .request)
        } catch {
            throw Refusal.badRequest("Invalid Json: \(error)")
        }
    }

    /// The body unchanged, to be forwarded.
    func bodyBytes() async throws -> [UInt8] {
        guard let buffer = try await bytes(upTo: sender.limit) else { throw sender.refusal }
        return buffer.withBytes { Array($0) }
    }

    /// A form's pairs.
    func form() async throws -> [(name: String, value: String)] {
        let limit = 16 << 10
        guard let buffer = try await bytes(upTo: limit) else { throw HTMLError.tooLarge(limit) }
        return ServedForm.pairs(buffer.withBytes { String(decoding: $0, as: UTF8.self) })
    }

    /// The whole body, `nil` if it is larger. Bytes that are not kept are still read for a while, so that the client gets to see
    /// the answer.
    private func bytes(upTo limit: Int) async throws -> JSONBuffer? {
        // The length is the client's claim: room for all of it is reserved only if it is small.
        let announced = header("Content-Length").flatMap { Int($0) } ?? 4096
        var buffer: JSONBuffer? = JSONBuffer(capacity: min(limit, announced, 1 << 20))
        var count = 0
        var isFull = false
        for try await part in body {
            count += part.readableBytes
            if count > limit {
                buffer = nil
            } else if buffer != nil, !share.take(part.readableBytes) {
                (buffer, isFull) = (nil, true)
            }
            if let buffer {
                part.withUnsafeReadableBytes { buffer.append($0) }
            } else {
                share.empty()
            }
            guard count <= limit + sender.patience else {
                // No one sends that much by mistake.
                share.cutShort()
                break
            }
        }
        if isFull { throw BodiesFull() }
        return buffer
    }
}

/// `a=1&b=2`, read as leniently as the reference server does: nothing is refused.
enum ServedForm {
    static func pairs(_ text: some StringProtocol) -> [(name: String, value: String)] {
        text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? PercentEncoding.decode(parts[1], plusIsSpace: true) : ""
            return (PercentEncoding.decode(parts[0], plusIsSpace: true), value)
        }
    }
}
