internal import PlugCore

extension OAuthService {
    /// The person's browser comes, the person decides at once, and the browser is sent back (RFC 6749, section 4.1.2).
    mutating func authorize(_ parameters: [String: String]) -> Answer {
        // Without a client and an address to go back to, the person is told (section 4.1.2.1).
        guard parameters["client_id"] == client.id, let redirectURI = parameters["redirect_uri"],
            redirectURI.hasPrefix("http://127.0.0.1:")
        else { return .whole(status: 400, headers: ["Content-Type: text/html"], body: "<h1>unknown client</h1>") }
        var back: [(name: String, value: String)] = []
        if parameters["response_type"] != "code" {
            back.append(("error", "unsupported_response_type"))
        } else if needsProofKey && parameters["code_challenge_method"] != "S256" {
            back.append(("error", "invalid_request"))
            back.append(("error_description", "PKCE is required"))
        } else if !consents {
            back.append(("error", "access_denied"))
        } else {
            let code = fresh("code")
            codes[code] = Code(
                challenge: parameters["code_challenge"],
                redirectURI: redirectURI,
                scope: parameters["scope"] ?? ""
            )
            back.append(("code", code))
        }
        if let state = parameters["state"] { back.append(("state", state)) }
        if let issuer { back.append(("iss", issuer)) }
        return .whole(status: 302, headers: ["Location: \(redirectURI)?\(FormText.encode(back))"], body: "")
    }

    /// A device asks for a code (RFC 8628, section 3.1).
    mutating func device(_ request: Request) -> Answer {
        guard isClient(request) else { return Self.error("invalid_client", status: 401) }
        let code = fresh("device")
        devices[code] = request.parameters["scope"] ?? ""
        return Self.json(
            200,
            """
            {"device_code":"\(code)","user_code":"WDJB-MJHT","verification_uri":"http://127.0.0.1/device",\
            "verification_uri_complete":"http://127.0.0.1/device?user_code=WDJB-MJHT","expires_in":1800,\
            "interval":\(deviceInterval)}
            """
        )
    }
}
