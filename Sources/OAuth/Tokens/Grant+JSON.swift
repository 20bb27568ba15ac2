internal import LosslessJSON
internal import PlugCore

extension Grant {
    /// Bytes that are not a grant.
    package struct Unreadable: Error {}

    /// No kept grant is larger: four times the response limit.
    private static let sizeLimit = 4 * TokenEndpoint.answerLimit

    /// The grant as JSON, with its secrets: only to be encrypted.
    package var encoded: [UInt8] {
        var members: [JSONObject.Member] = [
            ("access_token", accessToken.map { .text($0.reveal()) } ?? .null),
            ("refresh_token", refreshToken.map { .text($0.reveal()) } ?? .null),
            ("expires", expires.map { .number(JSONNumber($0)) } ?? .null),
            ("scopes", .array(scopes.map(JSONValue.text))),
            ("obtained", .number(JSONNumber(obtained))),
            ("since", .number(JSONNumber(since))),
        ]
        if let tokenSecret { members.append(("token_secret", .text(tokenSecret.reveal()))) }
        if let refreshExpires { members.append(("refresh_expires", .number(JSONNumber(refreshExpires)))) }
        if !values.isEmpty {
            let sorted = values.sorted { $0.key < $1.key }
            let texts = sorted.map { (key: JSONString($0.key), value: JSONValue.text($0.value)) }
            members.append(("values", .object(JSONObject(texts))))
        }
        var bytes: [UInt8] = []
        JSONValue.object(JSONObject(members)).write(to: &bytes)
        return bytes
    }

    /// Reads `encoded`. Members unknown to this version are ignored.
    ///
    /// - Throws: `Unreadable`, which quotes nothing.
    package init(decoding bytes: [UInt8]) throws(Unreadable) {
        let limits = JSONLimits(depth: 8, bytes: Self.sizeLimit)
        guard let value = try? JSONValue(parsing: bytes, limits: limits),
            let accessToken = value["access_token"], accessToken.isNull || accessToken.stringText != nil,
            let scopes = value["scopes"]?.elements,
            let obtained = value["obtained"]?.number?.int64,
            let since = value["since"]?.number?.int64
        else { throw Unreadable() }
        self.init(
            accessToken: accessToken.stringText.map(Secret.init),
            refreshToken: value["refresh_token"]?.stringText.map(Secret.init),
            expires: value["expires"]?.number?.int64,
            scopes: scopes.compactMap(\.stringText),
            values: Dictionary(
                (value["values"]?.object?.members ?? []).compactMap { member in
                    member.value.stringText.map { (member.key.text, $0) }
                },
                uniquingKeysWith: { $1 }
            ),
            refreshExpires: value["refresh_expires"]?.number?.int64,
            obtained: obtained,
            since: since
        )
        tokenSecret = value["token_secret"]?.stringText.map(Secret.init)
    }
}
