internal import CurlTransport
internal import PlugCore

/// How a source's own headers report its quota, if their names or forms are not the usual ones.
package struct QuotaRule: Sendable, Equatable {
    /// What shows that no request is left. Names in lower case.
    package enum Counter: Sendable, Equatable {
        /// A header that is `0` then.
        case remaining(String)
        /// The header that counts the requests made, and the one with their limit; `nil` if the first has both: `32/40`.
        case used(String, limit: String?)
    }

    private let counter: Counter
    private let reset: String?
    private let wait: Duration
    private let periods: [Duration]

    /// Further quotas are ignored.
    private static let most = 8

    /// - Parameters:
    ///   - reset: The header that says when the quota resets; in lower case.
    ///   - wait: How long to stay away if no header says so.
    ///   - periods: The length of each quota that resets by the clock.
    package init(_ counter: Counter, reset: String?, wait: Duration, periods: [Duration]) {
        self.counter = counter
        self.reset = reset
        self.wait = wait
        self.periods = periods
    }

    /// How long to stay away; `nil` if something is left of every quota, or the headers are absent.
    ///
    /// - Parameter now: Microseconds since 1970.
    func wait(_ headers: HTTPHeaders, now: Int64) -> Duration? {
        let spent = spent(headers)
        if spent.isEmpty { return nil }
        if let told = reset.flatMap({ headers.first($0) }).flatMap({ RequestedWait.wait($0, now: now) }) { return told }
        if periods.isEmpty { return wait }
        // A quota without a period of its own lasts as long as the last one.
        return spent.map { Self.rest(of: periods[min($0, periods.count - 1)], now: now) }.max()
    }

    /// Which of the quotas are used up, by their positions in the header.
    private func spent(_ headers: HTTPHeaders) -> [Int] {
        func list(_ name: String) -> [Substring] {
            let text = headers.first(name) ?? ""
            return Array(
                text.split(separator: ",", maxSplits: Self.most, omittingEmptySubsequences: false).prefix(Self.most)
            )
        }
        switch counter {
        case .remaining(let name):
            return list(name).enumerated().filter { Self.number($0.element).map { $0 <= 0 } == true }.map { $0.offset }
        case .used(let name, let limit):
            let limits = limit.map(list) ?? []
            return list(name).enumerated().filter { at, text in
                let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
                let most = parts.count == 2 ? parts[1] : limits.indices.contains(at) ? limits[at] : ""
                // Without a limit nothing can be used up.
                guard let used = parts.first.flatMap(Self.number), let most = Self.number(most), most > 0 else {
                    return false
                }
                return used >= most
            }
            .map { $0.offset }
        }
    }

    private static func number(_ text: Substring) -> Double? {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return Double(text).flatMap { $0.isFinite ? $0 : nil }
    }

    /// The time until the current clock period ends.
    private static func rest(of period: Duration, now: Int64) -> Duration {
        let length = max(1, period.wholeMicroseconds)
        return .microseconds(length - now % length)
    }
}
