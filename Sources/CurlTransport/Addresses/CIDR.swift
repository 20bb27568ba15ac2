/// A network: an address and its number of significant bits, such as `10.0.0.0/8` or `::1/128`, or one address alone.
public struct CIDR: Sendable, Hashable, CustomStringConvertible {
    /// The network's first address.
    public let address: IPAddress
    /// How many leading bits are significant.
    public let bits: Int
    /// The significant bits of an address's number.
    private let mask: UInt128

    /// Reads `127.0.0.0/8`, `::1/128`, `[::1]`, `[fd00::]/8` or a plain address.
    ///
    /// `nil` for anything else, and if bits are set beyond the prefix: that is a typing error.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
        var bits = address.isVersion6 ? 128 : 32
        let width = bits
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(parts[1]), number <= bits
            else { return nil }
            bits = number
        }
        // Above the bits of an IPv4 address there is nothing to compare.
        mask = UInt128.max << (width - bits)
        guard address.number & ~mask == 0 else { return nil }
        self.address = address
        self.bits = bits
    }

    /// Whether an address is in it. An IPv4 network also contains the IPv4-mapped IPv6 addresses of its members.
    public func contains(_ other: IPAddress) -> Bool {
        if other.isVersion6 != address.isVersion6 {
            guard let mapped = other.mappedVersion4 else { return false }
            return contains(mapped)
        }
        return (other.number ^ address.number) & mask == 0
    }

    /// The network in its canonical form.
    public var description: String { "\(address)/\(bits)" }
}
