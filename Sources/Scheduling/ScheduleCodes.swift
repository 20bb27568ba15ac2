package import PlugCore

/// The codes of schedules, as `plughost explain` lists them.
package enum ScheduleCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [.badInterval, .badCron, .cronNever, .zoneUnknown, .badQuietHours]
}

extension PlugError.Code {
    static let badInterval = Self(
        "bad-interval",
        exit: .configuration,
        "An interval between syncs is not a duration, shorter than a minute, or longer than 366 days.",
        "Write a count and a unit: 15m, 1h or 1d."
    )

    static let badCron = Self(
        "bad-cron",
        exit: .configuration,
        "A cron expression cannot be read. It has five fields (minute, hour, day of the month, month, day of the week), "
            + "or is one of @hourly, @daily, @weekly, @monthly and @yearly.",
        "For five past six on each working day, write \"5 6 * * MON-FRI\"."
    )

    static let cronNever = Self(
        "cron-never",
        exit: .configuration,
        "No day has the date that a cron expression asks for, such as 30 February.",
        "Correct the day of the month or the month."
    )

    static let zoneUnknown = Self(
        "zone-unknown",
        exit: .configuration,
        "A schedule names a time zone that this machine does not know. Abbreviations such as CET are not accepted: they stand for "
            + "several zones.",
        "Write a name of the IANA time zone database, such as Europe/Berlin, or UTC."
    )

    static let badQuietHours = Self(
        "bad-quiet-hours",
        exit: .configuration,
        "Quiet hours begin or end at something that is not a time of day, or begin and end at the same time.",
        "Write two different times from 00:00 to 24:00, such as 22:00 and 07:00."
    )
}
