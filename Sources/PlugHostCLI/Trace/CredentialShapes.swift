internal import LosslessJSON
internal import PlugFetch

/// What looks like a credential, known or not: by the name beside it, or by its own form.
enum CredentialShapes {
    /// The replacement text.
    static let blot = "<redacted>"

    /// Parameter names in signed addresses, in addition to self-explanatory ones.
    private static let signed: Set<String> = [
        "x-amz-signature", "x-amz-security-token", "x-amz-credential", "x-goog-signature", "x-goog-credential", "sig",
        "signature",
        "token", "access_token", "policy", "key-pair-id", "hmac", "code", "jwt", "se", "sv",
    ]

    /// Whether a header authenticates the caller, or sets what does.
    static func isSecretHeader(_ name: String) -> Bool {
        ["cookie", "set-cookie", "x-auth-token", "proxy-authorization"].contains(name.lowercased())
            || LiteralCredentials.isCredential(name)
    }

    /// Whether a parameter of an address or a form does.
    static func isSecretParameter(_ name: String) -> Bool {
        signed.contains(name.lowercased()) || LiteralCredentials.isCredential(name)
    }

    /// A text with everything that looks like a credential removed.
    static func blotted(_ text: String) -> String {
        var text = text
        // "access_token": "…" and 'password':'…'
        text = text.replacing(
            #/(?<start>\\?["'](?<name>[A-Za-z0-9_.\-]{2,40})\\?["']\s{0,4}:\s{0,4}\\?["'])(?<value>(?:[^"'\\]|\\[^"'])+)/#
        ) { match in
            isSecretMember(String(match.name)) ? "\(match.start)\(blot)" : String(match.output.0)
        }
        // access_token=… in an address or a form
        text = text.replacing(#/(?<start>(?:[?&;\s"']|^)(?<name>[A-Za-z0-9_.\-]{2,40})=)(?<value>[^&\s"'<>;#]+)/#) {
            match in
            isSecretParameter(String(match.name)) ? "\(match.start)\(blot)" : String(match.output.0)
        }
        text = text.replacing(#/(?<scheme>[Bb]earer|[Bb]asic|BEARER|BASIC)(?<blank>\s+)[A-Za-z0-9._~+\/=\-]{8,}/#) {
            match in
            "\(match.scheme)\(match.blank)\(blot)"
        }
        for range in ranges(in: text).reversed() { text.replaceSubrange(range, with: blot) }
        return text
    }

    /// The credentials that an answer issues: the texts of its members with such names. None if it is not JSON.
    static func issued(in body: [UInt8]) -> [String] {
        guard body.first == UInt8(ascii: "{"), let value = try? JSONValue(parsing: body) else { return [] }
        var found: [String] = []
        func look(_ value: JSONValue, _ name: String) {
            // A token response is small; of others only this number are examined.
            guard found.count < 32 else { return }
            switch value {
            case .object(let object): for (key, value) in object.members { look(value, key.text) }
            case .array(let elements): for element in elements { look(element, name) }
            case .string(let text): if isSecretMember(name), text.text.utf8.count >= 6 { found.append(text.text) }
            default: break
            }
        }
        look(value, "")
        return found
    }

    /// Whether a member of a body holds one. Lists and pages also have members called just `key` or `token`.
    static func isSecretMember(_ name: String) -> Bool {
        !["key", "auth", "session", "sessions"].contains(name.lowercased()) && LiteralCredentials.isCredential(name)
    }

    /// Whether an entire text may be a token by its length and characters alone, as keys of unknown services are.
    static func isLongToken(_ text: String) -> Bool {
        guard text.utf8.count >= 24,
            text.utf8.allSatisfy({
                0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || "-_.~+/=".utf8.contains($0)
            })
        else { return false }
        let digits = text.count { $0.isNumber }
        let isMixed = text.contains(where: \.isUppercase) && text.contains(where: \.isLowercase) && digits > 2
        return isMixed || text.utf8.count >= 32 && digits > 4 && text.allSatisfy(\.isHexDigit)
    }

    /// The ranges of credentials with a form of their own: JSON Web Tokens, and keys with a known service's prefix.
    static func ranges(in text: String) -> [Range<String.Index>] {
        let tokens = #/eyJ[A-Za-z0-9_\-]{5,}\.[A-Za-z0-9_\-]{5,}(?:\.[A-Za-z0-9_\-]*)?/#
        let keys =
            #/(?:(?:sk|pk|rk|whsec)_(?:live|test)?_?[A-Za-z0-9]{8,}|gh[pousr]_[A-Za-z0-9]{8,}|github_pat_[A-Za-z0-9_]{8,}|xox[a-z]-[A-Za-z0-9\-]{8,}|A[KS]IA[A-Z0-9]{12,}|AIza[A-Za-z0-9_\-]{20,}|ya29\.[A-Za-z0-9_\-]{8,}|glpat-[A-Za-z0-9_\-]{8,}|shp(?:at|ca|pa|ss)_[A-Za-z0-9]{8,}|SG\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,})/#
        var found: [Range<String.Index>] = []
        for range in (text.ranges(of: tokens) + text.ranges(of: keys)).sorted(by: { $0.lowerBound < $1.lowerBound })
        where found.last.map({ $0.upperBound <= range.lowerBound }) ?? true {
            found.append(range)
        }
        return found
    }
}
