internal import CurlTransport
internal import LosslessJSON
internal import PDAWire
internal import PlugCore

/// Removes a call's secrets from its answer: a server may repeat a token or a password.
struct Redaction: Sendable {
    private static let mark = Array("<redacted>".utf8)
    private static let secretHeaders = ["x-auth-token", "password", "authorization", "proxy-authorization", "cookie"]
    private static let secretParameters: Set = [
        "x-auth-token", "token", "password", "newpassword", "access_token", "accesstoken",
    ]

    /// Longest first, so that none is split by a part of itself.
    private let secrets: [[UInt8]]

    init(_ secrets: [String]) {
        var forms: Set<[UInt8]> = []
        for secret in secrets where !secret.isEmpty {
            // Unchanged, and in the forms used by headers, paths, queries and JSON.
            let decoded = PercentEncoding.decode(secret)
            for text in [secret, decoded, PercentEncoding.segment(secret), PercentEncoding.segment(decoded)] {
                forms.insert(Array(text.utf8))
                forms.insert(Array(JSONValue.text(text).compactText.utf8.dropFirst().dropLast()))
            }
        }
        self.secrets = forms.filter { !$0.isEmpty }.sorted { $0.count > $1.count }
    }

    /// A request's secrets: known ones, and fields and parameters that are secret by name.
    init(of request: PDARequest, headers: [HTTPHeader], query: String, extra: [String?]) {
        var secrets = request.secrets.map { $0.reveal() } + extra.compactMap { $0 }
        secrets += headers.filter { header in Self.secretHeaders.contains { header.isNamed($0) } }.map(\.value)
        for (key, value) in request.parameters?.object?.members ?? [] {
            guard let text = value.stringText, Self.secretParameters.contains(key.text.lowercased()) else { continue }
            secrets.append(text)
        }
        for pair in query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            if parts.count == 2, Self.secretParameters.contains(parts[0].lowercased()) {
                secrets.append(String(parts[1]))
            }
        }
        self.init(secrets)
    }

    /// A method and an address. Secrets as short as a word may be ordinary words there, and are left.
    func place(_ place: String) -> String { text(place, atLeast: 4) }

    func text(_ text: String) -> String { self.text(text, atLeast: 1) }

    private func text(_ text: String, atLeast count: Int) -> String {
        var bytes = Array(text.utf8)
        for secret in secrets where count...max(count, bytes.count) ~= secret.count {
            bytes = bytes.replacing(secret, with: Self.mark)
        }
        return String(decoding: Self.withoutTokens(bytes), as: UTF8.self)
    }

    func failure(_ failure: PDAFailure) -> PDAFailure {
        PDAFailure(
            failure.form,
            title: text(failure.title),
            cause: text(failure.cause),
            details: failure.details.map(text)
        )
    }

    func json(_ value: JSONValue) -> JSONValue {
        switch value {
        case .null, .bool, .number: value
        case .string(let string): .text(text(string.text))
        case .array(let elements): .array(elements.map(json))
        case .object(let object):
            .object(JSONObject(object.members.map { (key: JSONString(text($0.key.text)), value: json($0.value)) }))
        }
    }

    /// Anything that looks like a token, whole or truncated: `eyJ` is how the JSON of its header begins in Base64.
    private static func withoutTokens(_ bytes: [UInt8]) -> [UInt8] {
        let begin = Array("eyJ".utf8)
        guard bytes.firstRange(of: begin) != nil else { return bytes }
        var result: [UInt8] = []
        var at = 0
        while at < bytes.count {
            var end = at
            if bytes[at...].starts(with: begin) { while end < bytes.count, isTokenByte(bytes[end]) { end += 1 } }
            if end - at >= 16 {
                result += mark
                at = end
            } else {
                result.append(bytes[at])
                at += 1
            }
        }
        return result
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
