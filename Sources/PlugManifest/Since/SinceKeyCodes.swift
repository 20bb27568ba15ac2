package import PlugCore

/// The codes of the key 'since'.
enum SinceKeyCodes {
    static let all: [PlugError.Code] = [
        .badWindow, .windowNeedsStart, .windowNotSent, .badSettle, .stopNeedsOrder, .badFilter, .badTimePattern,
    ]
}

extension PlugError.Code {
    static let badWindow = Self(
        "bad-window",
        exit: .configuration,
        "'window', 'granule' or 'bounds' does not fit: opaque values have no windows, integers have windows of a number, times of a "
            + "duration, and a window is not shorter than its granule.",
        example: "since: {field: .id, type: integer, window: 30d}",
        "since: {field: .id, type: integer, from: \"0\", window: 1000, …}"
    )

    package static let windowNeedsStart = Self(
        "window-needs-start",
        exit: .configuration,
        "A stream is read in windows, but nothing says where the first one begins. In a run: 'since.from' gives null.",
        example: "since: {field: .at, type: time, window: 30d}",
        "since: {field: .at, type: time, from: \"2020-01-01\", window: 30d, …}"
    )

    static let windowNotSent = Self(
        "window-not-sent",
        exit: .configuration,
        "A stream is read in windows, but its requests do not say where a window begins or ends.",
        example: "since: {field: .at, type: time, from: \"2020-01-01\", window: 30d, send: {query: {from: date}}}",
        "Add until: {query: {to: date}}, or use {{ until }} in 'request'."
    )

    static let badSettle = Self(
        "bad-settle",
        exit: .configuration,
        "'settle' is for times: integers and opaque values have no clock.",
        example: "since: {field: .id, type: integer, settle: 5m}",
        "since: {field: .updated_at, type: time, settle: 5m}"
    )

    static let stopNeedsOrder = Self(
        "stop-needs-order",
        exit: .configuration,
        "'stop: known' ends a pass at the first page that is older than what is known. Only a service that lists the newest records "
            + "first can be read that way.",
        example: "since: {field: .at, type: time, stop: known}",
        "since: {field: .at, type: time, order: desc, stop: known}"
    )

    static let badFilter = Self(
        "bad-filter",
        exit: .configuration,
        "'filter' leaves out records that are older than the lower bound, and opaque values are neither older nor newer.",
        example: "since: {field: .token, type: opaque, filter: true}",
        "Remove filter."
    )

    static let badTimePattern = Self(
        "bad-time-pattern",
        exit: .configuration,
        "A pattern for times has a % with an unknown letter, or contains no part of a time. A pattern for reading times must name "
            + "the day.",
        example: "send: {query: {from: \"%Y-%m-%d %Q\"}}",
        "send: {query: {from: \"%Y-%m-%d %H:%M:%S\"}}"
    )
}
