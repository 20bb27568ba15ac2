package import PlugCore

extension NamedZone {
    /// The zone of a schedule.
    ///
    /// - Throws: `zone-unknown` with the nearest name.
    package static func forSchedules(_ name: String) throws(ScheduleFault) -> NamedZone {
        if let zone = NamedZone(name) { return zone }
        // No name has more than about 30 letters; comparing a longer text with all of them is a waste of time.
        let nearest = name.utf8.count <= 64 ? Spelling.question(name, in: names) : nil
        throw ScheduleFault(
            .zoneUnknown,
            "there is no time zone \(ScheduleFault.quoted(name))",
            advice: nearest ?? "write a name of the IANA time zone database, such as Europe/Berlin, or UTC",
            in: name
        )
    }

    /// The first moment at which the zone's offset from universal time differs from that at `start`.
    ///
    /// Both moments are seconds since 1970, with one clock change between them: since then, no zone has had two within
    /// six days.
    func change(after start: Int64, until end: Int64) -> Int64 {
        let before = offset(at: start)
        var (low, high) = (start, end)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: middle) == before { low = middle } else { high = middle }
        }
        return high
    }
}
