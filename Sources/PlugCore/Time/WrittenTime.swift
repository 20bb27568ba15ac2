/// A time as a text shows it: the clock time, and its offset from UTC if the text has one.
package struct WrittenTime: Sendable, Equatable {
    /// Seconds from 1970-01-01 00:00 by that clock.
    package var local: Int64
    /// The digits after the point, as the source gave them; empty for none.
    package var fraction: String
    /// Seconds east of UTC; `nil` if the text names no zone.
    package var offset: Int64?

    /// A time.
    package init(local: Int64, fraction: String = "", offset: Int64? = nil) {
        self.local = local
        self.fraction = fraction
        self.offset = offset
    }

    /// A moment, seen from UTC.
    package init(_ moment: Timestamp) { self.init(local: moment.seconds, fraction: moment.fraction, offset: 0) }

    /// Reads the forms that APIs use: see `Timestamp.init(_:)`.
    package init?(_ text: String) {
        var internet = TimeScanner(text)
        if let time = internet.internet() ?? MailTime(text)?.written {
            self = time
        } else if let moment = Timestamp(dotNet: text) {
            self.init(moment)
        } else {
            return nil
        }
    }

    /// Reads RFC 3339 and its relaxed variants: a space for `T`, `+0100`, no zone, a day alone.
    package init?(internet text: String) {
        var scanner = TimeScanner(text)
        guard let time = scanner.internet() else { return nil }
        self = time
    }

    /// The moment.
    ///
    /// - Parameter zone: Whose clocks are assumed if the text does not say; `nil` for UTC.
    package func moment(in zone: NamedZone? = nil) -> Timestamp {
        let seconds =
            if let offset { local - offset } else { zone?.seconds(ofLocal: local) ?? local }
        return Timestamp(seconds: seconds, fraction: fraction)
    }

    /// The day, as a moment on that day in UTC: the day as written, or else the moment's day in a zone.
    ///
    /// - Parameter zone: Whose day it is if the text gives a moment; `nil` for UTC.
    package func day(in zone: NamedZone? = nil) -> Timestamp {
        guard let offset else { return Timestamp(seconds: local) }
        let moment = local - offset
        return Timestamp(seconds: moment + (zone?.offset(at: moment) ?? 0))
    }
}
