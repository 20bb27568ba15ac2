internal import PlugCore

/// The zones that the system has, by all the names that calendars give them.
enum ZoneNames {
    /// A zone by the system's or Windows' name, in capitals or not, also after a path of the producer's own:
    /// `/mozilla.org/20050126_1/Europe/Berlin`.
    static func system(_ name: String) -> NamedZone? {
        if let zone = named(name) { return zone }
        let parts = name.split(separator: "/")
        guard name.hasPrefix("/") || parts.count > 2 else { return nil }
        for count in [3, 2, 1] where count < parts.count || name.hasPrefix("/") {
            if let zone = named(parts.suffix(count).joined(separator: "/")) { return zone }
        }
        return nil
    }

    private static func named(_ name: String) -> NamedZone? {
        if let zone = NamedZone(name) { return zone }
        let key = key(name)
        return (windows[key] ?? systemNames[key]).flatMap { NamedZone($0) }
    }

    private static func key(_ name: String) -> String { name.lowercased().replacing("_", with: " ") }

    private static let windows = Dictionary(
        WindowsZones.names.map { (key($0.key), $0.value) },
        uniquingKeysWith: { first, _ in first }
    )

    private static let systemNames = Dictionary(
        (NamedZone.names + ["UTC", "GMT"]).map { (key($0), $0) },
        uniquingKeysWith: { first, _ in first }
    )

    /// A zone by a name of the time zone database without a region: a file that describes one of this name may mean another.
    static func short(_ name: String) -> NamedZone? { links[name.uppercased()].flatMap { NamedZone($0) } }

    /// Links of the time zone database, in capitals.
    private static let links = [
        "CET": "Europe/Brussels", "CST6CDT": "America/Chicago", "CUBA": "America/Havana", "EET": "Europe/Athens",
        "EGYPT": "Africa/Cairo", "EIRE": "Europe/Dublin", "EST": "America/Panama", "EST5EDT": "America/New_York",
        "GB": "Europe/London", "GB-EIRE": "Europe/London", "GMT0": "Etc/GMT", "GREENWICH": "Etc/GMT",
        "HONGKONG": "Asia/Hong_Kong", "HST": "Pacific/Honolulu", "ICELAND": "Africa/Abidjan", "IRAN": "Asia/Tehran",
        "ISRAEL": "Asia/Jerusalem", "JAMAICA": "America/Jamaica", "JAPAN": "Asia/Tokyo",
        "KWAJALEIN": "Pacific/Kwajalein",
        "LIBYA": "Africa/Tripoli", "MET": "Europe/Brussels", "MST": "America/Phoenix", "MST7MDT": "America/Denver",
        "NAVAJO": "America/Denver", "NZ": "Pacific/Auckland", "NZ-CHAT": "Pacific/Chatham", "POLAND": "Europe/Warsaw",
        "PORTUGAL": "Europe/Lisbon", "PRC": "Asia/Shanghai", "PST8PDT": "America/Los_Angeles", "ROC": "Asia/Taipei",
        "ROK": "Asia/Seoul", "SINGAPORE": "Asia/Singapore", "TURKEY": "Europe/Istanbul", "UCT": "UTC",
        "UNIVERSAL": "UTC", "W-SU": "Europe/Moscow", "WET": "Europe/Lisbon", "Z": "UTC", "ZULU": "UTC",
    ]

    /// Seconds east of UTC, if a name is nothing else: `UTC+01:00`, `GMT-0500`, `+02`.
    static func offset(_ name: String) -> Int64? {
        let text = name.uppercased()
        let rest = text.hasPrefix("UTC") || text.hasPrefix("GMT") ? text.dropFirst(3) : text[...]
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let digits = rest.dropFirst().filter { $0 != ":" }
        guard (1...4).contains(digits.count), digits.allSatisfy({ ("0"..."9").contains($0) }), let value = Int64(digits)
        else { return nil }
        let (hours, minutes) = digits.count > 2 ? (value / 100, value % 100) : (value, 0)
        guard hours <= 14, minutes < 60 else { return nil }
        return (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
    }
}
