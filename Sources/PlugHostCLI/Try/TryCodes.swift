internal import PlugCore

/// The codes of `plughost try`.
enum TryCodes {
    static let all: [PlugError.Code] = [
        .parameterIgnored, .pageStart, .sinceUnmet, .nothingRead,
    ]
}

extension PlugError.Code {
    static let parameterIgnored = Self(
        "parameter-ignored",
        "A finding of 'plughost try --probe': the service gives the same records, or equally many, whatever a parameter of the "
            + "request says. Most services ignore misspelt parameters.",
        "Compare the parameter's name, and how its value is written, with the service's documentation."
    )

    static let pageStart = Self(
        "page-start",
        "A finding of 'plughost try --probe': asked for the page before the first one, the service gives records that the plug "
            + "never reads: it counts pages, or records, from a smaller number.",
        example: "page: {number: {param: page, from: 2}} where page 1 exists",
        "Correct 'from': most services count pages from 1 or 0."
    )

    static let sinceUnmet = Self(
        "since-unmet",
        "A finding of 'plughost try --probe': asked for records since the middle of those that were read, the service gives none. "
            + "The bound is sent in another unit (milliseconds for seconds) or form than the service expects, and each later run "
            + "would find nothing new.",
        example: "since: {…, send: {query: {since: epoch_ms}}} for a service that compares seconds",
        "Compare how 'since.send' or '{{ since }}' writes the time with the service's documentation."
    )

    static let nothingRead = Self(
        "nothing-read",
        "A finding of 'plughost try': the first request for a stream gives no record, so nothing of it is tested. Either the person "
            + "has none, or what the request sends leaves all of them out.",
        "Try it with an account that has records; check 'since.from' and how it is sent."
    )
}
