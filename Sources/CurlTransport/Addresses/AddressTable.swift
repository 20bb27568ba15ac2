/// Knows what kind of network an address belongs to.
public enum AddressTable {
    /// What may be done with an address.
    public enum Verdict: Sendable, Equatable {
        /// Anyone may dial it.
        case `public`
        /// Not on the public internet: only where the operator allows the network.
        case `private`
        /// Gives a machine's own credentials to any caller: never dialled, even in an allowed network.
        case metadata
    }

    /// Judges the 4 or 16 bytes of an address; any other length is `.metadata`, so that nothing dials it.
    public static func verdict(for bytes: [UInt8]) -> Verdict {
        guard let address = IPAddress(bytes: bytes) else { return .metadata }
        return verdict(for: address)
    }

    /// Judges an address. Addresses that embed an IPv4 address (mapped, compatible, translated, 6to4, Teredo) are judged by that
    /// one as well.
    public static func verdict(for address: IPAddress) -> Verdict {
        if metadata.contains(address) { return .metadata }
        if !address.isVersion6 { return blocked4.contains(address) ? .private : .public }

        let inner = embedded(in: address).map { verdict(for: $0) }
        if inner.contains(.metadata) { return .metadata }
        // In IPv6 only 2000::/3 is allocated as public, plus the prefix that translates to IPv4.
        if translated.contains(address) { return inner.first ?? .private }
        guard globalUnicast.contains(address), !blocked6.contains(address) else { return .private }
        return inner.contains(.private) ? .private : .public
    }

    /// The IPv4 addresses embedded in an IPv6 address.
    private static func embedded(in address: IPAddress) -> [IPAddress] {
        func version4(at offset: Int, inverted: Bool = false) -> [IPAddress] {
            let part = UInt32(truncatingIfNeeded: address.number >> (96 - 8 * offset))
            return [IPAddress(version4: inverted ? ~part : part)]
        }
        // ::/96 (compatible), ::ffff:0:0/96 (mapped), ::ffff:0:0:0/96 (translated by SIIT)
        if address.number >> 64 == 0 { return version4(at: 12) }
        if translated.contains(address) || localTranslated.contains(address) { return version4(at: 12) }
        if sixToFour.contains(address) { return version4(at: 2) }
        // Teredo holds its server's address, and the client's with every bit inverted.
        if teredo.contains(address) { return version4(at: 4) + version4(at: 12, inverted: true) }
        return []
    }

    private static let metadata = NetworkList(
        // Link-local services of AWS, GCP, Azure, OCI, DigitalOcean, Hetzner; ECS and EKS hand out roles at .170
        "169.254.169.0/24",
        "169.254.170.0/24",
        // Azure's wire server, in a public range; Alibaba; OCI's older one
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        // AWS and GCP over IPv6
        "fd00:ec2::/32",
        "fd20:ce::254",
    )

    private static let blocked4 = NetworkList(
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )

    /// Inside 2000::/3.
    private static let blocked6 = NetworkList("2001::/23", "2001:db8::/32", "3fff::/20")

    private static let globalUnicast = NetworkList("2000::/3")
    private static let translated = NetworkList("64:ff9b::/96")
    private static let localTranslated = NetworkList("64:ff9b:1::/48")
    private static let sixToFour = NetworkList("2002::/16")
    private static let teredo = NetworkList("2001::/32")
}

/// Some networks. Text that is not a network is left out; the tests contain an address of each.
private struct NetworkList: Sendable {
    private let networks: [CIDR]

    init(_ texts: String...) { networks = texts.compactMap { CIDR($0) } }

    func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }
}
