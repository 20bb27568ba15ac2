/// How requests are signed (RFC 5849, section 3.4).
package enum OAuth1Method: String, Sendable, CaseIterable {
    /// The usual one.
    case hmacSHA1 = "HMAC-SHA1"
    /// Not in the RFC, but required by services that no longer accept SHA-1.
    case hmacSHA256 = "HMAC-SHA256"
    /// Signed with a private key.
    case rsaSHA1 = "RSA-SHA1"
    /// The secrets themselves: no part of the request is signed.
    case plaintext = "PLAINTEXT"
}
