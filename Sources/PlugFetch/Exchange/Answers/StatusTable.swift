import CurlTransport
import PlugManifest
import Throttling

/// What an answer's status leads to.
enum StatusVerdict: Sendable, Equatable {
    /// The body is a page.
    case page
    /// There are no records, and this is not an error.
    case empty
    /// The request is sent again later.
    case retry
    /// The source limits us: the request is sent again when the source says.
    case limit
    /// The account has to be connected again.
    case unauthorised
    /// Another address may have the page.
    case redirect
    /// The page is too big: a smaller one is requested.
    case shrink
    /// The search yields no more: it continues from a new bound.
    case resetPage
    /// The saved cursor is no longer recognised: everything is read.
    case reread
    /// The stream ends with an error.
    case fail

    /// The built-in table, for answers that no rule of the manifest matches.
    ///
    /// - Parameter asksForPart: Whether the request asked for a range.
    init(builtIn status: Int, _ headers: HTTPHeaders, asksForPart: Bool) {
        switch status {
        case 204, 205: self = .empty
        // Some services count in records, and so say how their pages relate to the whole list.
        case 206 where !asksForPart && Self.countsBytes(headers.first("content-range")): self = .fail
        case 200...299: self = .page
        case 301, 302, 303, 307, 308: self = .redirect
        case 401: self = .unauthorised
        case 403:
            // Some sources say 403 where they mean 429.
            let isSpent = RequestedWait.isSpent(headers.first("x-ratelimit-remaining"))
            self = isSpent || headers.first("retry-after") != nil ? .limit : .unauthorised
        case 429: self = .limit
        case 408, 421, 425, 500...599: self = .retry
        default: self = .fail
        }
    }

    private static func countsBytes(_ range: String?) -> Bool {
        guard let range else { return true }
        return range.lowercased().drop(while: \.isWhitespace).hasPrefix("bytes")
    }

    /// The verdict of a rule of the manifest.
    init(_ action: StatusRule.Action) {
        self =
            switch action {
            case .skip: .empty
            case .fail: .fail
            case .retry: .retry
            case .limit: .limit
            case .ok: .page
            case .shrink: .shrink
            case .resetPage: .resetPage
            case .reauth: .unauthorised
            case .reread: .reread
            }
    }
}
