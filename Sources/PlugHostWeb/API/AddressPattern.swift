/// Regular expressions for the parts of an address, for JSON Schemas.
enum AddressPattern {
    /// A PDA's host name or IPv4 address: labels, the last of which begins with a letter; or four numbers.
    static let host =
        "([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?[.])*[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
        + "|(\(number)[.]){3}\(number)"
    /// An IPv6 address, without an embedded IPv4 address.
    static let version6 = {
        let group = "[0-9A-Fa-f]{1,4}"
        let compressed = (1...6).map { "(\(group):){1,\($0)}(:\(group)){1,\(7 - $0)}" }
        return (["(\(group):){7}\(group)", "(\(group):){1,7}:", ":((:\(group)){1,7}|:)"] + compressed).joined(
            separator: "|"
        )
    }()
    private static let number = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
    /// 1 to 65535.
    static let port =
        "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])"
}
