/// A connection's own place within every interval: a fraction determined by its name alone.
///
/// Connections that start together are due evenly spread, and at the same times after a restart. The hash must therefore never
/// change: connections would run twice, or late, on the day of an update.
package struct Phase: Sendable, Hashable {
    /// In units of 2^-64.
    let fraction: UInt64

    /// The phase of a connection with this name.
    package init(of name: String) {
        // FNV-1a (RFC 9923), and SplitMix64's final steps, without which similar names are close together.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
        fraction = hash ^ (hash >> 31)
    }

    /// The fraction of a time span, from 0 to just below the whole.
    func part(of time: Int64) -> Int64 {
        time <= 0 ? 0 : Int64(fraction.multipliedFullWidth(by: UInt64(time)).high)
    }
}
