package import PlugCore

/// The first day that a person wants to read.
package enum FirstDay {
    /// Checks the format of a day.
    ///
    /// - Parameter text: A day such as `2026-11-21`; `nil` if none is wanted.
    /// - Throws: `PlugError` `first-day-unreadable` (usage).
    package static func check(_ text: String?) throws(PlugError) {
        guard let text else { return }
        guard text.utf8.count == 10, Timestamp(text)?.date == text else {
            throw PlugError(
                .firstDayUnreadable,
                "'\(DisplayText.escaped(String(text.prefix(40))))' is not a date",
                advice: "write it as 2026-11-21"
            )
        }
    }
}
