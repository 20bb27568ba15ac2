/// A network: an address and its number of significant bits, such as `10.0.0.0/8` or `::1/128`, or one address alone.
public struct CIDR: Sendable, Hashable, CustomStringConvertible {
    /// The network's first address.
    public let address: IPAddress
    /// How many leading bits are significant.
    public let bits: Int

    /// Reads `127.0.0.0/8`, `::1/128`, `[::1]`, `[fd00::]/8` or a plain address.
    ///
    /// `nil` for anything else, and if bits are set beyond the prefix: that is a typing error.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let address = IPAddress(String(parts[0])) else { return nil }
        var bits = address.bytes.count * 8
        if parts.count == 2 {
            guard (1...3).contains(parts[1].utf8.count), parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = Int(parts[1]), number <= bits
            else { return nil }
            bits = number
        }
        for index in bits..<address.bytes.count * 8 where address.bytes[index / 8] & (0x80 >> UInt8(index % 8)) != 0 {
            return nil
        }
        self.address = address
        self.bits = bits
    }

    /// Whether an address is in it. An IPv4 network also contains the IPv4-mapped IPv6 addresses of its members.
    public func contains(_ other: IPAddress) -> Bool {
        if other.bytes.count != address.bytes.count {
            guard let mapped = other.mappedVersion4 else { return false }
            return contains(mapped)
        }
        let whole = bits / 8
        guard other.bytes.prefix(whole).elementsEqual(address.bytes.prefix(whole)) else { return false }
        guard bits % 8 != 0 else { return true }
        let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (bits % 8))
        return other.bytes[whole] & mask == address.bytes[whole] & mask
    }

    /// The network in its canonical form.
    public var description: String { "\(address)/\(bits)" }
}
