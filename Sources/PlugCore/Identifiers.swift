/// Where a stream's records go: `<namespace>/<endpoint>` of a PDA.
///
/// The grammar is the reference server's route: namespaces match `[0-9a-z-]+`, endpoints `[0-9a-z-/]+`.
public struct DataPath: Sendable, Hashable, CustomStringConvertible {
    /// The namespace, `[0-9a-z-]+`.
    public let namespace: String
    /// The endpoint, `[0-9a-z-/]+`.
    public let endpoint: String

    /// A path, `nil` if the PDA would not accept it.
    public init?(namespace: String, endpoint: String) {
        guard Self.isNamespace(namespace), Self.isEndpoint(endpoint) else { return nil }
        self.namespace = namespace
        self.endpoint = endpoint
    }

    /// `namespace/endpoint`, as the PDA reports it.
    public var description: String { "\(namespace)/\(endpoint)" }

    /// Whether a text is a namespace.
    public static func isNamespace(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isWordByte)
    }

    /// Whether a text is an endpoint.
    public static func isEndpoint(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { isWordByte($0) || $0 == UInt8(ascii: "/") }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

/// The name of a connection: one person's set-up of one plug.
public struct ConnectionID: Sendable, Hashable, CustomStringConvertible {
    /// The name, as given or derived.
    public let name: String
    /// Names a connection.
    public init(_ name: String) { self.name = name }
    /// The name.
    public var description: String { name }
}
