import CurlTransport
import PlugCore
import Synchronization

/// The cookies that a source has set in this run (`http.cookies: keep`), for services that identify a session by them.
///
/// Follows RFC 6265, section 5, but stricter: a cookie goes back only to the host and port that set it, whatever its `Domain`
/// says. It does not outlive the run, and no message shows its contents.
final class CookieJar: Sendable {
    private struct Cookie {
        var host: String
        var name: String
        var value: String
        var path: String
        var isSecure: Bool
        /// Microseconds since 1970; `nil` until the run ends.
        var expires: Int64?
    }

    /// The maximum number of cookies; beyond it the oldest are dropped.
    static let limit = 50
    /// The most bytes of a cookie's name and value together; a larger cookie is not kept.
    static let byteLimit = 4096
    /// Whether a value may be a credential: short ones, and letters alone, are ordinary words, which messages show.
    private static func mayBeSecret(_ value: String) -> Bool {
        value.count >= 16 || value.count >= 8 && !value.allSatisfy(\.isLetter)
    }

    private let cookies = Mutex<[Cookie]>([])

    /// The cookies for a request: those with the longest paths first.
    func cookies(for url: HTTPURL, now: Int64) -> [(name: String, value: String)] {
        cookies.withLock { cookies in
            cookies.removeAll { cookie in cookie.expires.map { $0 <= now } ?? false }
            return cookies.enumerated()
                .filter { _, cookie in
                    cookie.host == url.hostAndPort && (url.isSecure || !cookie.isSecure)
                        && Self.covers(cookie.path, url.path)
                }
                .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
                .map { ($0.element.name, $0.element.value) }
        }
    }

    /// Keeps the cookies that an answer sets.
    ///
    /// - Returns: The values that are secrets.
    func keep(_ headers: HTTPHeaders, from url: HTTPURL, now: Int64) -> [String] {
        let set = headers.all("set-cookie").prefix(Self.limit).compactMap { Self.cookie($0, from: url, now: now) }
        guard !set.isEmpty else { return [] }
        cookies.withLock { cookies in
            for cookie in set {
                cookies.removeAll { ($0.host, $0.name, $0.path) == (cookie.host, cookie.name, cookie.path) }
                if cookie.expires.map({ $0 > now }) ?? true { cookies.append(cookie) }
            }
            if cookies.count > Self.limit { cookies.removeFirst(cookies.count - Self.limit) }
        }
        return set.map(\.value).filter(Self.mayBeSecret)
    }

    // MARK: - One field

    /// Reads a `Set-Cookie`; `nil` if it sets nothing that is kept.
    private static func cookie(_ field: String, from url: HTTPURL, now: Int64) -> Cookie? {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard let pair = parts.first, let equals = pair.firstIndex(of: "=") else { return nil }
        let (name, value) = (trimmed(pair[..<equals]), trimmed(pair[pair.index(after: equals)...]))
        guard !name.isEmpty, name.utf8.count + value.utf8.count <= byteLimit, HeaderFields.isSendable(field),
            !name.contains(where: { $0 == " " || $0 == "\t" })
        else { return nil }
        var cookie = Cookie(
            host: url.hostAndPort,
            name: String(name),
            value: String(value),
            path: folder(of: url.path),
            isSecure: false
        )
        var lasts: Int64?
        for part in parts.dropFirst() {
            let key = trimmed(part.prefix { $0 != "=" }).lowercased()
            let argument = trimmed(part.dropFirst(min(part.count, part.prefix { $0 != "=" }.count + 1)))
            switch key {
            case "path": cookie.path = argument.hasPrefix("/") ? String(argument) : folder(of: url.path)
            case "secure": cookie.isSecure = true
            // Takes precedence over `Expires`.
            case "max-age": lasts = Int64(argument).map { $0 <= 0 ? now : now.addingSeconds($0) } ?? lasts
            case "expires": cookie.expires = time(argument) ?? cookie.expires
            case "domain":
                // A cookie for a host other than the one that answered is ignored.
                let domain = argument.drop { $0 == "." }.lowercased()
                guard domain.isEmpty || url.host == domain || url.host.hasSuffix(".\(domain)") else { return nil }
            default: break
            }
        }
        cookie.expires = lasts ?? cookie.expires
        return cookie
    }

    /// `Wed, 21 Oct 2026 07:28:00 GMT`, or with hyphens as in the original format.
    private static func time(_ text: Substring) -> Int64? {
        (Timestamp(String(text)) ?? Timestamp(String(text.replacing("-", with: " "))))?.microseconds
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        let start = text.drop(while: isBlank)
        return start.prefix(upTo: start.lastIndex { !isBlank($0) }.map(start.index(after:)) ?? start.startIndex)
    }

    /// The default path of a cookie that names none (RFC 6265, section 5.1.4).
    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a cookie's path matches a request's (section 5.1.4).
    private static func covers(_ folder: String, _ path: String) -> Bool {
        path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/")
    }
}

extension Int64 {
    /// The time in microseconds, `seconds` later, saturating at the maximum.
    fileprivate func addingSeconds(_ seconds: Int64) -> Int64 {
        let (microseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000)
        let (sum, isTooLate) = addingReportingOverflow(microseconds)
        return isTooLong || isTooLate ? .max : sum
    }
}
