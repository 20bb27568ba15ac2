import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest
import Signing

/// An outgoing request to which credentials are added. Each attempt starts from the prepared request.
struct OutgoingRequest {
    let method: String
    var url: HTTPURL
    var headers: [HTTPHeader]
    var body: [UInt8]?
    private let bodyKind: RequestBody.Kind?

    init(_ prepared: PreparedRequest) {
        method = prepared.method
        url = prepared.url
        headers = prepared.headers
        body = prepared.body
        bodyKind = prepared.bodyKind
        if let condition = prepared.condition { headers.append(condition) }
    }

    /// The host, with its port if it is not the scheme's default: the value of the `Host` header.
    var authority: String { url.port == (url.isSecure ? 443 : 80) ? url.host : url.hostAndPort }

    /// The parts that can be signed, without its headers.
    var signable: SignableRequest {
        SignableRequest(
            method: method,
            scheme: url.scheme,
            authority: authority,
            path: url.path,
            query: url.query,
            body: body ?? [],
            hasForm: bodyKind == .form
        )
    }

    /// Sets a value at its place, replacing one of the same name.
    ///
    /// - Throws: `PlugError` `body-not-object` if it goes into a body that has no place for it.
    mutating func set(_ value: String, _ name: String, in place: Authorization.KeyPlace) throws(PlugError) {
        switch place {
        case .header: setHeader(name, value)
        case .query: url = url.settingQuery([(name, value)])
        case .cookie:
            try Self.checkCookie(value)
            addCookies([(name, value)])
        case .body: try setInBody(name, value)
        }
    }

    mutating func setHeader(_ name: String, _ value: String) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(HTTPHeader(name, value))
    }

    /// Adds cookies to those that the request already has, all in one field (RFC 6265, section 5.4).
    mutating func addCookies(_ added: [(name: String, value: String)]) {
        guard !added.isEmpty else { return }
        let names = Set(added.map(\.name))
        let kept = cookies.filter { !names.contains(Self.name(of: $0)) }
        setHeader("Cookie", (kept + added.map { "\($0.name)=\($0.value)" }).joined(separator: "; "))
    }

    /// The names of its cookies.
    var cookieNames: [String] { cookies.map(Self.name) }

    /// Its cookies, `name=value` each.
    private var cookies: [String] {
        headers.filter { $0.name.lowercased() == "cookie" }.flatMap { $0.value.split(separator: ";") }
            .map { String($0.drop { $0 == " " }) }
    }

    private static func name(of cookie: String) -> String { String(cookie.prefix { $0 != "=" }) }

    /// Refuses characters that would end a cookie early.
    static func checkCookie(_ value: String) throws(PlugError) {
        guard value.contains(where: { $0 == ";" || $0 == "\t" }) else { return }
        throw PlugError(
            .credentialUnreadable,
            "a credential of 'auth' that goes into a cookie contains a semicolon or a tab",
            advice: "give the cookie's value alone, without its name and attributes"
        )
    }

    private mutating func setInBody(_ name: String, _ value: String) throws(PlugError) {
        switch bodyKind {
        case .form:
            var pairs = (body ?? []).split(separator: UInt8(ascii: "&")).map(Array.init)
            let same = pairs.indices.filter {
                FormText.decode(String(decoding: pairs[$0], as: UTF8.self))?.first?.name == name
            }
            let added = Array(FormText.encode([(name: name, value: value)]).utf8)
            if let first = same.first { pairs[first] = added } else { pairs.append(added) }
            for at in same.dropFirst().reversed() { pairs.remove(at: at) }
            body = Array(pairs.joined(separator: [UInt8(ascii: "&")]))
        case .json:
            guard let document = body.flatMap({ try? JSONDocument(JSONBuffer($0)) }),
                let value = document.root.value.setting(.text(value), at: JSONValue.path(name)[...])
            else { throw Self.noPlace(name) }
            var bytes: [UInt8] = []
            value.write(to: &bytes)
            body = bytes
        case .text, nil: throw Self.noPlace(name)
        }
    }

    private static func noPlace(_ name: String) -> PlugError {
        PlugError(
            .bodyNotObject,
            "'\(name)' of 'auth' goes into the body, and the request has neither a form nor a JSON body with a mapping there",
            advice: "give the request 'form' or 'json' with a mapping, or the stream an 'auth' of its own"
        )
    }
}
