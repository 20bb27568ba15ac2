import Glibc

/// An IPv4 or IPv6 address.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// 4 or 16 bytes in network byte order.
    public let bytes: [UInt8]

    /// An address from its bytes; `nil` unless there are 4 or 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads the strict spelling: four decimal numbers without leading zeros, or IPv6 with or without brackets and
    /// without a zone.
    public init?(_ text: String) {
        var text = text
        guard text.utf8.allSatisfy({ (1..<0x80).contains($0) }) else { return nil }
        if text.utf8.first == UInt8(ascii: "["), text.utf8.last == UInt8(ascii: "]") {
            text = String(text.dropFirst().dropLast())
        }
        let isVersion6 = text.utf8.contains(UInt8(ascii: ":"))
        var buffer = [UInt8](repeating: 0, count: isVersion6 ? 16 : 4)
        // inet_pton writes 4 or 16 bytes and returns 1, or 0 for text that is not an address. It accepts no leading zeros, no
        // octal or hexadecimal numbers, no short forms and no zones. (Passed directly, the text would be copied to an array.)
        let isRead = text.withCString { inet_pton(isVersion6 ? AF_INET6 : AF_INET, $0, &buffer) }
        guard isRead == 1 else { return nil }
        bytes = buffer
    }

    /// The address in a socket address; `nil` for families other than IPv4 and IPv6.
    package init?(socketAddress: UnsafeRawPointer, family: Int32) {
        switch family {
        case AF_INET:
            let address = socketAddress.loadUnaligned(as: sockaddr_in.self)
            bytes = withUnsafeBytes(of: address.sin_addr) { [UInt8]($0) }
        case AF_INET6:
            let address = socketAddress.loadUnaligned(as: sockaddr_in6.self)
            bytes = withUnsafeBytes(of: address.sin6_addr) { [UInt8]($0) }
        default:
            return nil
        }
    }

    /// Whether it is a loopback address.
    public var isLoopback: Bool {
        if bytes.count == 4 { return bytes[0] == 127 }
        if let mapped = mappedVersion4 { return mapped.isLoopback }
        return bytes.dropLast().allSatisfy { $0 == 0 } && bytes[15] == 1
    }

    /// The IPv4 address inside `::ffff:a.b.c.d`, which is what such an address dials.
    package var mappedVersion4: IPAddress? {
        guard bytes.count == 16, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF
        else { return nil }
        return IPAddress(bytes: Array(bytes[12...]))
    }

    /// The usual spelling, without brackets.
    public var description: String {
        if bytes.count == 4 { return bytes.map(String.init).joined(separator: ".") }
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // inet_ntop writes at most that many bytes including the final zero; it cannot fail for this family and size.
        guard inet_ntop(AF_INET6, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "::" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
