/// Which addresses may be dialled, and how.
public struct NetworkPolicy: Sendable, Equatable {
    /// Networks, beyond the public ones, in which sources may be.
    public var allowedSourceNetworks: [CIDR]
    /// Networks, beyond the public ones, in which PDAs may be.
    public var allowedPDANetworks: [CIDR]
    /// The `host:port` (`HTTPURL.hostAndPort`) of each PDA that the operator named on the command line.
    ///
    /// If one resolves to a loopback address, that may be dialled, also over http; otherwise it changes nothing.
    public var trustedPDAs: Set<String> = []
    /// The `host:port` of each server that the operator named in place of a source.
    ///
    /// It may be on this machine, and over http. Elsewhere it must be in a network of `allowedSourceNetworks`: requests with a
    /// person's credentials never go to a public address by mistake.
    public var standIns: Set<String> = []
    /// The proxy for all requests, such as `http://proxy.example:3128`. Proxies from the environment are ignored.
    ///
    /// The proxy then resolves names, and must block private networks itself.
    public var proxy: String?
    /// For each side a PEM file of certificate authorities trusted in addition to the system's.
    public var certificateAuthorityFiles: [NetworkSide: String]
    /// The `User-Agent` of requests that do not set one: `plughost/VERSION`.
    public var userAgent: String

    /// Public addresses only.
    public init() {
        allowedSourceNetworks = []
        allowedPDANetworks = []
        trustedPDAs = []
        proxy = nil
        certificateAuthorityFiles = [:]
        userAgent = "plughost/0.1.0"
    }

    /// The networks open to a side beyond the public ones.
    public func allowedNetworks(for side: NetworkSide) -> [CIDR] {
        switch side {
        case .source: allowedSourceNetworks
        case .pda: allowedPDANetworks
        }
    }
}
