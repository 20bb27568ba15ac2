internal import LosslessJSON
internal import PlugCore

/// What a PDA's token says about itself, read without verifying its signature: that is the PDA's business.
public struct TokenClaims: Sendable, Equatable {
    /// `iss`: the PDA's domain, with its port if it was used with one.
    public var issuer: String
    /// `application`: the application's id, only in an application's tokens.
    public var application: String?
    /// `applicationVersion`: the definition's version at minting.
    public var applicationVersion: String?
    /// `sub`: the user, opaque.
    public var subject: String?
    /// `jti`: stays the same when the token is refreshed.
    public var identifier: String?
    /// `accessScope`: the role that a user's token is limited to.
    public var scope: String?
    /// `resource`: whom a user's token was made for.
    public var resource: String?
    /// `iat` in seconds since 1970: the last use, not the creation.
    public var issuedAt: Int64
    /// `exp` in seconds since 1970.
    public var expires: Int64?

    /// Claims.
    public init(issuer: String, subject: String?, identifier: String?, issuedAt: Int64, expires: Int64?) {
        self.issuer = issuer
        self.subject = subject
        self.identifier = identifier
        self.issuedAt = issuedAt
        self.expires = expires
    }

    /// Reads the claims of a token in compact form, `nil` if it is not one or lacks `iss` or `iat`.
    public init?(token: String) {
        let bytes = Array(token.utf8)
        let dot = UInt8(ascii: ".")
        guard let first = bytes.firstIndex(of: dot), let last = bytes.lastIndex(of: dot), first < last else {
            return nil
        }
        // A further dot is not base64.
        guard let payload = Base64URL.decode(bytes[(first + 1)..<last]) else { return nil }
        self.init(payload: payload)
    }

    /// Reads claims from a token's decoded middle part.
    public init?(payload: [UInt8]) {
        let limits = JSONLimits(depth: 16, bytes: 64 << 10)
        guard let claims = (try? JSONValue(parsing: payload, limits: limits))?.object else { return nil }
        var (issuer, issuedAt): (String?, Int64?)
        for (name, value) in claims.members {
            switch name.text {
            case "iss": issuer = value.stringText
            case "iat": issuedAt = Self.seconds(value)
            case "exp":
                guard let end = Self.seconds(value) else { return nil }
                expires = end
            case "sub": subject = value.stringText
            case "jti": identifier = value.stringText
            case "application": application = value.stringText
            case "applicationVersion": applicationVersion = value.stringText
            case "accessScope": scope = value.stringText
            case "resource": resource = value.stringText
            default: break
            }
        }
        guard let issuer, let issuedAt else { return nil }
        self.issuer = issuer
        self.issuedAt = issuedAt
    }

    /// Whole seconds since 1970 (RFC 7519 allows fractions) within calendar range: up to the end of the year 9999.
    private static func seconds(_ value: JSONValue) -> Int64? {
        guard let seconds = value.number.flatMap({ Timestamp(epoch: $0.text) })?.seconds else { return nil }
        return 0...253_402_300_799 ~= seconds ? seconds : nil
    }

    /// The middle part of a token: the claims as JSON.
    public var payload: [UInt8] {
        var members: [JSONObject.Member] = [("iss", .text(issuer))]
        if let subject { members.append(("sub", .text(subject))) }
        members.append(("iat", .number(JSONNumber(issuedAt))))
        if let expires { members.append(("exp", .number(JSONNumber(expires)))) }
        if let identifier { members.append(("jti", .text(identifier))) }
        if let resource { members.append(("resource", .text(resource))) }
        if let scope { members.append(("accessScope", .text(scope))) }
        if let application { members.append(("application", .text(application))) }
        if let applicationVersion { members.append(("applicationVersion", .text(applicationVersion))) }
        var bytes: [UInt8] = []
        JSONValue.object(JSONObject(members)).write(to: &bytes)
        return bytes
    }

    /// Whether a PDA refuses it because it was issued three or more days ago.
    ///
    /// - Parameter now: Seconds since 1970.
    public func isIdle(at now: Int64) -> Bool { now - issuedAt >= PDALimit.idleSeconds }

    /// Whether it has expired. A token without `exp` does not expire.
    ///
    /// - Parameter now: Seconds since 1970.
    public func isExpired(at now: Int64) -> Bool { expires.map { $0 <= now } ?? false }
}
