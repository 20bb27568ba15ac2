package import PlugCore

/// The first day that a person wants to be read.
package enum FirstDay {
    /// Checks how a day is written.
    ///
    /// - Parameter text: Such as `2026-11-21`; `nil` where nobody wants one.
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
