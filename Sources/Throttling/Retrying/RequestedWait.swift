package import CurlTransport
internal import PlugCore

/// How long a response asks us to stay away.
package enum RequestedWait {
    /// The wait that a source's response asks for; no longer than a day, whatever it says.
    ///
    /// - Parameters:
    ///   - isLimit: Whether the response means that there were too many requests: its remaining-requests headers then count, too.
    ///   - quota: How the source's own headers report what is left.
    ///   - now: Microseconds since 1970.
    package static func asked(
        by headers: HTTPHeaders,
        isLimit: Bool,
        quota rule: QuotaRule? = nil,
        now: Int64
    ) -> Duration? {
        if let value = headers.first("retry-after"), let wait = retryAfter(value, now: now) {
            return min(wait, RateBook.longestClosing)
        }
        return isLimit ? quota(headers, rule, now: now) : nil
    }

    /// A wait as written by sources and manifests: seconds from now, seconds or milliseconds since 1970, or a time.
    ///
    /// - Parameter now: Microseconds since 1970.
    /// - Returns: No longer than a day; `nil` if the text is none of these.
    package static func wait(_ text: String, now: Int64) -> Duration? {
        if let wait = reset(text, now: now) { return min(wait, RateBook.longestClosing) }
        guard let moment = Timestamp(text) else { return nil }
        return min(.microseconds(max(0, moment.microseconds - now)), RateBook.longestClosing)
    }

    // MARK: - Retry-After

    /// The value of that header (RFC 9110, 10.2.3): seconds, or a date. Some servers write fractions of a second.
    ///
    /// - Parameter now: Microseconds since 1970.
    /// - Returns: `nil` if the value has neither form.
    package static func retryAfter(_ value: String, now: Int64) -> Duration? {
        let text = value.filter { $0 != " " }
        if !text.isEmpty, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            return .seconds(min(Int64(text) ?? 315_360_000, 315_360_000))
        }
        // Not what else Swift reads as a number, such as `0x10`.
        if text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }), let seconds = Double(text),
            seconds < 315_360_000
        {
            return .seconds(seconds)
        }
        // A day alone is none.
        guard value.contains(":"), let moment = Timestamp(value) ?? Timestamp(oldDate: value) else { return nil }
        return .microseconds(max(0, moment.microseconds - now))
    }

    // MARK: - What is left

    /// What responses say about remaining requests: `RateLimit` in its two draft forms, and the older `X-RateLimit-*`.
    ///
    /// Only an exhausted quota counts. A remaining one is no promise: a header never lets more out than the manifest does.
    ///
    /// - Parameters:
    ///   - rule: How the source's own headers report it, besides the usual ones.
    ///   - now: Microseconds since 1970.
    /// - Returns: How long to stay away, no longer than a day; `nil` if the response does not ask for it.
    package static func quota(
        _ headers: HTTPHeaders,
        _ rule: QuotaRule? = nil,
        now: Int64
    ) -> Duration? {
        var waits = headers.all("ratelimit").flatMap { $0.split(separator: ",") }.compactMap(item)
        if waits.isEmpty, let wait = headers.first("ratelimit").flatMap(list) { waits.append(wait) }
        for names in usualNames where isSpent(headers.first(names.remaining)) && !isSpent(headers.first(names.limit)) {
            if let wait = headers.first(names.reset).flatMap({ Self.wait($0, now: now) }) { waits.append(wait) }
        }
        if let wait = rule?.wait(headers, now: now) { waits.append(wait) }
        return waits.max().map { min($0, RateBook.longestClosing) }
    }

    /// Whether a number of requests is none; `0`, and what some services write then: `-1`, `0.0`, `0;w=60`, `0, 0;w=60`.
    package static func isSpent(_ text: String?) -> Bool {
        guard let first = text?.split(whereSeparator: { ";,".contains($0) }).first, let number = Double(trimmed(first))
        else {
            return false
        }
        return number <= 0
    }

    private static let usualNames = ["ratelimit", "x-ratelimit", "x-rate-limit"].map { prefix in
        (remaining: "\(prefix)-remaining", limit: "\(prefix)-limit", reset: "\(prefix)-reset")
    }

    /// `"name";r=0;t=30`
    private static func item(_ text: Substring) -> Duration? {
        var parameters: [Substring: Substring] = [:]
        for part in text.split(separator: ";").dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            parameters[trimmed(pair[0])] = trimmed(pair[1])
        }
        guard isSpent(parameters["r"].map(String.init)) else { return nil }
        return parameters["t"].flatMap { seconds($0) }
    }

    /// `limit=100, remaining=0, reset=50`
    private static func list(_ text: String) -> Duration? {
        var members: [Substring: Substring] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { members[trimmed(pair[0])] = trimmed(pair[1]) }
        }
        guard isSpent(members["remaining"].map(String.init)) else { return nil }
        return members["reset"].flatMap { seconds($0) }
    }

    private static func seconds(_ text: Substring) -> Duration? {
        guard let wait = Double(text), 0..<315_360_000 ~= wait else { return nil }
        return .seconds(wait)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }

    /// Sources write seconds from now, seconds since 1970 or milliseconds since 1970; the magnitude distinguishes them.
    private static func reset(_ text: String, now: Int64) -> Duration? {
        guard let reset = Int64(text) else {
            guard let number = Double(text) else { return nil }
            switch number {
            case 0..<1e9: return .seconds(number)
            case 1e9..<1e11: return .seconds(max(0, number - Double(now) / 1e6))
            case 1e11..<1e14: return .seconds(max(0, number / 1e3 - Double(now) / 1e6))
            default: return nil
            }
        }
        switch reset {
        case ..<0: return nil
        case ..<1_000_000_000: return .seconds(reset)
        case ..<100_000_000_000: return .microseconds(max(0, reset * 1_000_000 - now))
        case ..<100_000_000_000_000: return .microseconds(max(0, reset * 1000 - now))
        default: return nil
        }
    }
}

extension Timestamp {
    /// The two obsolete date formats that every recipient must accept (RFC 9110, 5.6.7): `Sunday, 06-Nov-94 08:49:37 GMT`, and
    /// `Sun Nov  6 08:49:37 1994`.
    fileprivate init?(oldDate text: String) {
        let words = text.split { " ,-".contains($0) }
        switch words.count {
        case 6 where words[3].count == 2:
            guard let year = Int(words[3]) else { return nil }
            let century = year < 70 ? 2000 : 1900
            self.init("\(words[0].prefix(3)), \(words[1]) \(words[2]) \(century + year) \(words[4]) GMT")
        case 5:
            let day = words[2].count == 1 ? "0\(words[2])" : words[2]
            self.init("\(words[0]), \(day) \(words[1]) \(words[4]) \(words[3]) GMT")
        default: return nil
        }
    }
}
