internal import PlugCore

/// The codes of cursors and windows.
enum SinceCodes {
    static let all: [PlugError.Code] = [
        .stateUnreadable, .sinceFieldMissing, .orderBroken, .windowLimit, .windowIgnored, .windowFull,
        .searchUnordered, .windowTooSmall, .windowUnreadable, .granuleCoarse, .cursorInFuture, .configChanged,
        .sinceUnit, .sinceMissing, .open(.sinceUnreadable),
    ]
}

extension PlugError.Code {
    static let stateUnreadable = Self(
        "state-unreadable",
        exit: .data,
        "The state of a stream is damaged, or a later version of plughost wrote it.",
        "Use that version, or start again with another --state DIR: everything is then read again."
    )

    static let sinceFieldMissing = Self(
        "since-field-missing",
        exit: .data,
        "All records of a pass were delivered, but none has a readable 'since.field', so every "
            + "run reads everything again.",
        "Check 'since.field' and 'since.type' against a record of the source."
    )

    static let orderBroken = Self(
        "order-broken",
        "A stream with 'order: asc' returned a record older than the one before it, or the records of one with 'order: desc' do "
            + "not come newest first, so that 'stop: known' reads on to the last page.",
        "Remove 'order' if the source does not promise this order."
    )

    static let windowLimit = Self(
        "window-limit",
        exit: .tryLater,
        "A run has read 100,000 windows of a stream. The next run continues there.",
        "Make 'since.window' longer: windows without records cost requests, too."
    )

    static let windowIgnored = Self(
        "window-ignored",
        exit: .data,
        "A window gave records from beyond its end, so the service ignores the bounds that it is sent. This is a warning as long "
            + "as windows also give records of their own; if two windows have none of their own, the stream ends, because "
            + "every window would read everything.",
        "Check the names in 'since.send' and 'since.until', and that 'since.field' is what the service compares."
    )

    static let windowFull = Self(
        "window-full",
        exit: .data,
        "A search gives no more records ('do: reset_page'), and it cannot be narrowed: all records that it gave have the same "
            + "time, its first page is already refused, or the stream sends no bound. What was read is delivered, and the "
            + "watermark stays.",
        "Ask for less at a time: a bound that is sent with smaller steps ('epoch_ms' or 'time' in place of 'date'), a smaller "
            + "'granule', or another request that the service divides differently."
    )

    static let searchUnordered = Self(
        "search-unordered",
        exit: .data,
        "A search gives no more records ('do: reset_page'), and those that it gave were not in the order that 'since.order' "
            + "promises. So it is unknown how far everything was read. What was read is delivered, and the watermark stays.",
        "Ask the service for this order, if it can sort; or remove 'order' and add 'window', which is halved until it fits."
    )

    static let windowTooSmall = Self(
        "window-too-small",
        exit: .configuration,
        "From the start of the pass to the present there are more than 100,000 windows.",
        "Make 'since.window' longer, or make 'since.from' later."
    )

    static let windowUnreadable = Self(
        "window-unreadable",
        exit: .configuration,
        "'since.window' or 'since.overlap' is a template that does not give a length of time with this configuration.",
        "Make it give a length such as 30d, as in \"{{ config.days // 30 }}d\". A window may also be 1mo or 1y."
    )

    static let granuleCoarse = Self(
        "granule-coarse",
        "A stream with windows has times between two steps of 'since.granule'. If the service compares them, records between the "
            + "end of a window and the start of the next one would be missed; so windows share their borders from here on, and those that the pass "
            + "has read are read again.",
        "Write the smallest step of the field, such as 'granule: 1ms', or leave 'granule' out."
    )

    static let cursorInFuture = Self(
        "cursor-in-future",
        "A stream would resume at a time in the future: this machine's clock was ahead during an earlier run, or "
            + "is behind now. The last four days are read again, or everything if the "
            + "difference is more than two days.",
        "Check this machine's clock."
    )

    static let configChanged = Self(
        "config-changed",
        "The connection's configuration is not the one of the last run. A stream continues from its cursor, so records from before "
            + "it that only the new configuration shows, such as those of another folder, are not read. A pass that was interrupted "
            + "starts over.",
        "If earlier records are wanted, run 'plughost connection rewind NAME', or read them once with --since. For another account, "
            + "use another connection."
    )

    static let sinceUnit = Self(
        "since-unit",
        "As 'since.field' is read, the newest value is hundreds or thousands of years ahead, or next to 1970: 'since.type' names "
            + "seconds where the source gives milliseconds, or the other way round, or a value such as the year 9999 stands for "
            + "none. A run never continues from a time after its own start.",
        "Write 'type: epoch_ms' for milliseconds, and 'type: epoch' for seconds."
    )

    static let sinceMissing = Self(
        "since-missing",
        "Records have no readable 'since.field'. They are delivered, but do not move the watermark.",
        "Check 'since.field' and 'since.type'."
    )
}

extension PlugError.Code.Open {
    static let sinceUnreadable = Self(
        "since-unreadable",
        "--since or 'since.from' is not a value of the type in 'since.type'.",
        "Write a time such as 2026-11-21T12:00:00Z, a date, or for integers a number."
    )
}
