internal import PlugCore

/// A day, or a time of a day, as a calendar writes it.
struct CalendarTime: Sendable, Equatable {
    enum Zone: Sendable, Equatable {
        /// A whole day.
        case day
        /// In UTC.
        case utc
        /// A floating time: local wherever the reader is.
        case floating
        /// In a zone of this name.
        case named(String)
    }

    /// Seconds since 1970 on the clock of its zone.
    var local: Int64
    var zone: Zone

    init(local: Int64, zone: Zone) { (self.local, self.zone) = (local, zone) }

    /// Reads `20261122`, `20261122T100000` or `20261122T100000Z`, in the zone of a property.
    init?(_ text: String, zone name: String?) {
        let bytes = Array(text.utf8)
        func number(_ from: Int, _ count: Int) -> Int64? {
            guard from + count <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[from..<(from + count)] {
                guard 0x30...0x39 ~= byte else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        guard let year = number(0, 4), let month = number(4, 2), let day = number(6, 2),
            let date = CivilDate(year: year, month: month, day: day)
        else { return nil }
        local = date.daysSinceEpoch * 86400
        if bytes.count == 8 {
            zone = .day
            return
        }
        let isUTC = bytes.count == 16 && bytes[15] == UInt8(ascii: "Z")
        guard bytes.count == 15 || isUTC, bytes[8] == UInt8(ascii: "T"), let hour = number(9, 2), hour < 24,
            let minute = number(11, 2), minute < 60, let second = number(13, 2), second <= 60
        else { return nil }
        local += hour * 3600 + minute * 60 + min(second, 59)
        zone = isUTC ? .utc : name.map { .named($0) } ?? .floating
    }

    /// Reads a time of a property that names occurrences; one that is said to be a day may be written with midnight.
    init?(_ text: Substring, of line: ContentLine) {
        self.init(String(text.drop { $0 == " " }), zone: line.zone)
        if zone != .utc, local == day, line.parameter("VALUE")?.uppercased() == "DATE" { zone = .day }
    }

    /// Reads all times of a property.
    static func all(of line: ContentLine) -> [CalendarTime]? {
        var times: [CalendarTime] = []
        for part in line.value.split(separator: ",") {
            // A period begins with its time.
            guard let time = CalendarTime(part.prefix { $0 != "/" }, of: line) else { return nil }
            times.append(time)
        }
        return times
    }

    /// The day on the clock of its zone, in seconds since 1970.
    var day: Int64 { local - ((local % 86400) + 86400) % 86400 }

    /// The same time in the form of the series that it belongs to: producers write exceptions as days, floating times, in UTC or
    /// in another zone, whatever the form of `DTSTART`. A moment stays the moment it is where the series has moments.
    func matched(to start: CalendarTime, _ zones: CalendarZones) -> CalendarTime {
        switch (start.zone, zone) {
        case (.day, .day): return self
        // Midnight somewhere: the nearest one in UTC is that of the same day, less than half a day from Greenwich.
        case (.day, .utc): return CalendarTime(local: CalendarTime(local: local + 43_199, zone: .day).day, zone: .day)
        case (.day, _): return CalendarTime(local: day, zone: .day)
        case (_, .day): return CalendarTime(local: local + start.local - start.day, zone: start.zone)
        default:
            let areMoments = zones.utc(self) != nil && zones.utc(start) != nil
            return areMoments ? self : CalendarTime(local: local, zone: start.zone)
        }
    }

    /// A duration: days are calendar days, however many hours they have (3.3.6).
    struct Length: Sendable, Equatable {
        var days: Int64 = 0
        var seconds: Int64 = 0
    }

    /// Reads `P1DT2H`, `-PT15M`, `P2W`.
    static func duration(_ text: String) -> Length? {
        var rest = Substring(text)
        var sign: Int64 = 1
        if rest.first == "-" { sign = -1 }
        if rest.first == "-" || rest.first == "+" { rest = rest.dropFirst() }
        guard rest.first == "P" else { return nil }
        rest = rest.dropFirst()
        var result = Length()
        while let first = rest.first {
            if first == "T" {
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { ("0"..."9").contains($0) }
            guard digits.count < 10, let value = Int64(digits), let unit = rest.dropFirst(digits.count).first,
                let length = ["W": 604_800, "D": 86400, "H": 3600, "M": 60, "S": 1][String(unit)]
            else { return nil }
            if length >= 86400 {
                result.days += sign * value * Int64(length / 86400)
            } else {
                result.seconds += sign * value * Int64(length)
            }
            rest = rest.dropFirst(digits.count + 1)
        }
        return result
    }

    /// The text in a record: a day, RFC 3339 in UTC, or a time without a zone if the zone is unknown.
    func text(in zones: CalendarZones) -> String {
        if zone == .day { return Timestamp(seconds: local).date }
        if let utc = zones.utc(self) { return Timestamp(seconds: utc).rfc3339 }
        return String(Timestamp(seconds: local).rfc3339.dropLast())
    }
}
