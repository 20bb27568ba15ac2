import PlugCore

/// The codes of fetchers in Swift.
enum FetcherCodes {
    static let all: [PlugError.Code] = [
        .fetcherData, .fetcherLater, .fetcherAuthorisation, .fetcherConfiguration, .fetcherFailed,
        .fetcherCursor, .fetcherLimit, .fetcherWarning,
    ]
}

extension PlugError.Code {
    static let fetcherData = Self(
        "fetcher-data",
        exit: .data,
        "A stream is read by a fetcher in Swift ('swift' in the manifest), and the source sent it something unexpected, or it gave "
            + "records that are not JSON. What it gave before is delivered.",
        "The message says what it found. If the service has changed, the fetcher must be adapted."
    )

    static let fetcherLater = Self(
        "fetcher-later",
        exit: .tryLater,
        "A fetcher in Swift could not get its data now: a job of the service is not ready, or waiting for it took longer than an hour.",
        "Run it again later. Nothing is lost: it continues where it stopped."
    )

    static let fetcherAuthorisation = Self(
        "fetcher-authorisation",
        exit: .authorisation,
        "A fetcher in Swift found that the person has to authorise the plug again.",
        "Connect the account again."
    )

    static let fetcherConfiguration = Self(
        "fetcher-configuration",
        exit: .configuration,
        "A fetcher in Swift cannot work with its 'swift.options' or the connection's configuration. The message says why.",
        "Correct the manifest or the configuration."
    )

    static let fetcherFailed = Self(
        "fetcher-failed",
        exit: .failed,
        "A fetcher in Swift ended with an error of its own: a mistake in its code. What it gave before is delivered.",
        "Report it to the plug's author, with the message."
    )

    static let fetcherCursor = Self(
        "fetcher-cursor",
        exit: .failed,
        "A fetcher in Swift gave a page without the cursor that leads to the next one, gave the same cursor twice, or refuses its own: the "
            + "pass would never end.",
        "Report it to the plug's author. 'plughost test' finds it."
    )

    static let fetcherLimit = Self(
        "fetcher-limit",
        exit: .data,
        "A fetcher in Swift has reached a limit: 1,000 requests for a page, 64 KiB for a cursor, 1,000 pages without records in a "
            + "row, or 'http.max_body' for the records of a page.",
        "The message names the limit. Make the fetcher return smaller pages, and more of them."
    )

    static let fetcherWarning = Self(
        "fetcher-warning",
        "A warning from a fetcher in Swift, in its own words. Reading continues.",
        "The plug's documentation says what it means."
    )
}
