import LosslessJSON
import PlugCore

/// The limits of a Swift fetcher. Requests, bodies, rates and time are limited as for all streams.
enum ModuleLimits {
    /// Requests for one page.
    static let requests = 1_000
    /// Waits for one page, in total.
    static let waiting = Duration.seconds(3_600)
    /// Bytes of a cursor, as JSON.
    static let cursor = 64 << 10
    /// Consecutive pages without records.
    static let emptyPages = 1_000
    /// Characters of a fetcher's message.
    static let messageCharacters = 300

    static func tooManyRequests(_ fetcher: String) -> PlugError {
        exceeded("\(fetcher) has sent \(requests) requests for one page, the limit", "let it give a page in between")
    }

    static func waitTooLong(_ fetcher: String) -> PlugError {
        PlugError(
            .fetcherLater,
            "\(fetcher) would wait longer than \(HumanDuration.text(waiting)), the limit for one page",
            advice: "run it again later: it continues where it stopped"
        )
    }

    static func cursorTooLarge(_ fetcher: String, _ bytes: Int) -> PlugError {
        exceeded(
            "\(fetcher) gave a cursor of \(HumanSize.text(bytes)); the limit is \(HumanSize.text(cursor))",
            "keep in it only what leads to the next page"
        )
    }

    static func tooManyEmptyPages(_ fetcher: String) -> PlugError {
        exceeded(
            "\(fetcher) gave \(emptyPages) pages without records in a row, the limit",
            "let it say when the pass is complete"
        )
    }

    static func pageTooLarge(_ fetcher: String, _ what: String, _ limits: PageLimits) -> PlugError {
        exceeded(
            "\(fetcher) gave a page of \(what), more than 'http.max_body' (\(HumanSize.text(limits.bytes))) allows",
            "let it give smaller pages, or raise 'http.max_body' in the manifest"
        )
    }

    private static func exceeded(_ message: String, _ advice: String) -> PlugError {
        PlugError(.fetcherLimit, message, advice: advice, reach: .stream)
    }
}
