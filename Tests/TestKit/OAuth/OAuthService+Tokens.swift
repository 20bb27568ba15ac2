internal import Cryptography
internal import LosslessJSON
internal import PlugCore

extension OAuthService {
    /// A request for a token, and what goes wrong with it.
    mutating func token(_ request: Request) -> Answer {
        let parameters = request.parameters
        let kind = parameters["grant_type"] ?? ""
        requests[kind, default: 0] += 1
        switch faults.isEmpty ? nil : faults.removeFirst() {
        case .reset: return .reset
        case .resetAfterGiving:
            _ = given(kind, parameters, request)
            return .reset
        case .hang: return .none
        case .page(let status):
            return .whole(
                status: status,
                headers: ["Content-Type: text/html"],
                body: "<!DOCTYPE html><title>Sorry</title><p>\(parameters["refresh_token"] ?? "")</p>"
            )
        case .error(let code, let status): return Self.error(code, status: status)
        case .status(let status, let retryAfter):
            return .whole(status: status, headers: retryAfter.map { ["Retry-After: \($0)"] } ?? [], body: "")
        case .body(let body): return Self.json(200, body)
        case nil: return given(kind, parameters, request)
        }
    }

    private mutating func given(_ kind: String, _ parameters: [String: String], _ request: Request) -> Answer {
        guard isClient(request) else { return Self.error("invalid_client", status: 401) }
        let asked = parameters["scope"] ?? ""
        switch kind {
        case "authorization_code": return answer(toCode: parameters)
        case "refresh_token": return answer(toRefresh: parameters["refresh_token"] ?? "")
        case "client_credentials": return give(freshNumber(), asked, refreshes: false)
        case "urn:ietf:params:oauth:grant-type:jwt-bearer":
            guard verifies(parameters["assertion"] ?? "") else { return Self.error("invalid_grant") }
            return give(freshNumber(), asked, refreshes: false)
        case "urn:ietf:params:oauth:grant-type:device_code":
            let code = parameters["device_code"] ?? ""
            guard let scope = devices[code] else { return Self.error("invalid_grant") }
            guard deviceErrors.isEmpty else { return Self.error(deviceErrors.removeFirst()) }
            devices[code] = nil
            return give(freshNumber(), scope, refreshes: true)
        default: return Self.error("unsupported_grant_type")
        }
    }

    /// RFC 6749, section 4.1.3; RFC 7636, section 4.6.
    private mutating func answer(toCode parameters: [String: String]) -> Answer {
        guard let name = parameters["code"], let code = codes[name], !code.isUsed,
            code.redirectURI == parameters["redirect_uri"]
        else { return Self.error("invalid_grant") }
        codes[name]?.isUsed = true
        let verifier = parameters["code_verifier"]
        let shown = verifier.map { Base64URL.encode(SHA256.hash(Array($0.utf8))) }
        guard shown == code.challenge else { return Self.error("invalid_grant") }
        return give(freshNumber(), code.scope, refreshes: true)
    }

    private mutating func answer(toRefresh name: String) -> Answer {
        guard let token = refreshTokens[name] else { return Self.error("invalid_grant") }
        if token.isUsed {
            if revokesWhenReused { end(token.consent) }
            return Self.error("invalid_grant")
        }
        if rotates { refreshTokens[name]?.isUsed = true }
        return give(token.consent, token.scope, refreshes: rotates)
    }

    /// The tokens of a consent.
    private mutating func give(_ consent: Int, _ asked: String, refreshes: Bool) -> Answer {
        let scope = scope ?? asked
        let access = fresh("access\(consent)")
        live[access] = scope
        var members: [(name: String, json: String)] = [
            ("access_token", "\"\(access)\""), ("token_type", "\"Bearer\""),
        ]
        if let expiresIn { members.append(("expires_in", expiresIn)) }
        if refreshes {
            let token = fresh("refresh")
            refreshTokens[token] = RefreshToken(consent: consent, scope: scope)
            members.append(("refresh_token", "\"\(token)\""))
        }
        if namesScope { members.append(("scope", "\"\(scope)\"")) }
        if answersWithForms {
            let fields = members.map { (name: $0.name, value: $0.json.filter { $0 != "\"" }) }
            let type = "Content-Type: application/x-www-form-urlencoded"
            return .whole(status: 200, headers: [type], body: FormText.encode(fields))
        }
        return Self.json(200, "{" + members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ",") + "}")
    }
}
