/// The host and the port of a URL.
enum URLHost {
    /// Splits `host`, `host:port`, `[address]` or `[address]:port`.
    static func split(
        _ authority: ArraySlice<UInt8>
    ) throws(HTTPError) -> (host: ArraySlice<UInt8>, port: ArraySlice<UInt8>) {
        guard !authority.contains(UInt8(ascii: "@")) else { throw invalid("contains a user name or a password") }
        if authority.first == UInt8(ascii: "[") {
            guard let close = authority.firstIndex(of: UInt8(ascii: "]")) else { throw invalid("has no closing ]") }
            let after = authority[(close + 1)...]
            guard after.isEmpty || after.first == UInt8(ascii: ":") else { throw invalid("has text after the ]") }
            return (authority[...close], after.dropFirst())
        }
        guard let colon = authority.firstIndex(of: UInt8(ascii: ":")) else { return (authority, []) }
        return (authority[..<colon], authority[(colon + 1)...])
    }

    /// The port; `nil` if it is omitted.
    static func port(_ digits: ArraySlice<UInt8>) throws(HTTPError) -> Int? {
        guard !digits.isEmpty else { return nil }
        guard digits.count <= 5, digits.allSatisfy(URLCharacters.isDigit),
            let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port)
        else { throw invalid("has a port that is not a number from 1 to 65535") }
        return port
    }

    /// The host in its canonical form, and as an address if it is one.
    static func normalise(_ bytes: ArraySlice<UInt8>) throws(HTTPError) -> (host: String, address: IPAddress?) {
        guard !bytes.isEmpty else { throw invalid("has no host") }
        let host = lowerCasedText(bytes)
        if bytes.first == UInt8(ascii: "[") {
            guard bytes.contains(UInt8(ascii: ":")), let address = IPAddress(host) else {
                throw invalid("has no IPv6 address between its brackets")
            }
            return ("[\(address)]", address)
        }
        guard bytes.allSatisfy({ URLCharacters.isAlphanumeric($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x5F }) else {
            throw invalid("has a host with characters other than letters, digits, - . and _")
        }
        guard bytes.count <= 253, let last = lastLabel(bytes) else {
            throw invalid("has a host with an empty part, a trailing dot or a part that is too long")
        }
        // If the last label is a number, other software reads the host as an address, in many spellings; we accept only the
        // canonical one.
        if last.allSatisfy(URLCharacters.isDigit)
            || (last.first == 0x30 && last.dropFirst().first.map(lowerCased) == 0x78)
        {
            guard let address = IPAddress(host) else {
                throw invalid("has an IPv4 address that is not four decimal numbers")
            }
            return (host, address)
        }
        return (host, nil)
    }

    /// The text after the last dot; `nil` if any label of the host is empty or too long.
    private static func lastLabel(_ host: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        var start = host.startIndex
        for index in host.indices where host[index] == 0x2E {
            guard (1...63).contains(index - start) else { return nil }
            start = index + 1
        }
        return (1...63).contains(host.endIndex - start) ? host[start...] : nil
    }

    private static func invalid(_ what: String) -> HTTPError { HTTPError(.invalidURL, "a URL \(what)") }
}
