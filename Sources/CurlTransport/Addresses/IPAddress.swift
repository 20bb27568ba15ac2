import Glibc

/// An IPv4 or IPv6 address.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Whether it is an IPv6 address.
    let isVersion6: Bool
    /// Its bits as one number, those of an IPv4 address at the low end: addresses are judged for every request, and numbers need
    /// no memory of their own.
    let number: UInt128

    private init(_ number: UInt128, isVersion6: Bool) {
        self.number = number
        self.isVersion6 = isVersion6
    }

    /// The IPv4 address of 32 bits.
    init(version4 number: UInt32) { self.init(UInt128(number), isVersion6: false) }

    /// An address from its bytes in network byte order; `nil` unless there are 4 or 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.init(bytes.reduce(0) { $0 << 8 | UInt128($1) }, isVersion6: bytes.count == 16)
    }

    /// Reads the strict spelling: four decimal numbers without leading zeros, or IPv6 with or without brackets and
    /// without a zone.
    public init?(_ text: String) {
        let inner =
            text.utf8.first == UInt8(ascii: "[") && text.utf8.last == UInt8(ascii: "]")
            ? text.dropFirst().dropLast() : text[...]
        guard inner.utf8.allSatisfy({ (1..<0x80).contains($0) }) else { return nil }
        let address = String(inner).withCString { Self(cString: $0) }
        guard let address else { return nil }
        self = address
    }

    /// Reads the same spelling, without brackets, from a text that ends with a zero byte and is only borrowed.
    init?(cString text: UnsafePointer<CChar>) {
        // inet_pton writes 4 or 16 bytes and returns 1, or 0 for text that is not an address. It accepts no leading zeros, no
        // octal or hexadecimal numbers, no short forms and no zones.
        var version4 = in_addr()
        if inet_pton(AF_INET, text, &version4) == 1 {
            self.init(version4)
            return
        }
        var version6 = in6_addr()
        guard inet_pton(AF_INET6, text, &version6) == 1 else { return nil }
        self.init(version6)
    }

    /// The address in a socket address; `nil` for families other than IPv4 and IPv6.
    package init?(socketAddress: UnsafeRawPointer, family: Int32) {
        switch family {
        case AF_INET: self.init(socketAddress.loadUnaligned(as: sockaddr_in.self).sin_addr)
        case AF_INET6: self.init(socketAddress.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
        default: return nil
        }
    }

    private init(_ address: in_addr) { self.init(version4: UInt32(bigEndian: address.s_addr)) }

    private init(_ address: in6_addr) {
        let number = withUnsafeBytes(of: address) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
        self.init(number, isVersion6: true)
    }

    /// 4 or 16 bytes in network byte order.
    public var bytes: [UInt8] {
        let count = isVersion6 ? 16 : 4
        return (1...count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - $0))) }
    }

    /// Whether it is a loopback address.
    public var isLoopback: Bool {
        if !isVersion6 { return number >> 24 == 127 }
        return mappedVersion4?.isLoopback ?? (number == 1)
    }

    /// The IPv4 address inside `::ffff:a.b.c.d`, which is what such an address dials.
    package var mappedVersion4: IPAddress? {
        isVersion6 && number >> 32 == 0xFFFF ? IPAddress(version4: UInt32(truncatingIfNeeded: number)) : nil
    }

    /// The usual spelling, without brackets.
    public var description: String {
        if !isVersion6 { return bytes.map(String.init).joined(separator: ".") }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // inet_ntop writes at most that many bytes including the final zero; it cannot fail for this family and size.
        guard inet_ntop(AF_INET6, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "::" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
