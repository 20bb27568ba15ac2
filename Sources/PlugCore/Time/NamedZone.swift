internal import Foundation

/// A zone of the IANA time zone database, with the rules that the system knows.
package struct NamedZone: Sendable, Equatable {
    /// Its name, such as `Europe/Berlin`.
    package let name: String
    private let zone: TimeZone

    /// The zone of that name; `nil` if the system does not know it. Abbreviations such as `CET`, which denote several zones, are
    /// not names.
    package init?(_ name: String) {
        // The system looks names up as file paths.
        let isName = name.utf8.allSatisfy { byte in
            let letter = byte | 0x20
            return 0x61...0x7A ~= letter || 0x30...0x39 ~= byte || "+-_/".utf8.contains(byte)
        }
        guard isName, name == "UTC" || name == "GMT" || name.contains("/") && name.first != "/",
            let zone = TimeZone(identifier: name)
        else { return nil }
        self.name = name
        self.zone = zone
    }

    /// The names of all zones, for suggestions when one is misspelt.
    package static var names: [String] { TimeZone.knownTimeZoneIdentifiers }

    /// Seconds since 1970 in UTC when the clocks of the zone show a time.
    ///
    /// When clocks are put forward, the times that they skip are read with the offset before the change: they move forward by the
    /// gap. A time that clocks show twice is the earlier one.
    ///
    /// - Parameter local: Seconds from 1970-01-01 00:00 by those clocks.
    package func seconds(ofLocal local: Int64) -> Int64 {
        // No zone changes twice within two days.
        let (before, after) = (offset(at: local - 86_400), offset(at: local + 86_400))
        if before == after { return local - before }
        if offset(at: local - before) == before { return local - before }
        return offset(at: local - after) == after ? local - after : local - before
    }

    /// Seconds east of UTC at a moment in seconds since 1970.
    package func offset(at moment: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(moment))))
    }

    /// Whether both are the same zone under the same name.
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
}
