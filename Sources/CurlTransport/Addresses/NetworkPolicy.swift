/// Which addresses may be dialled, and how.
public struct NetworkPolicy: Sendable, Equatable {
    /// Networks beyond the public ones that sources may be in.
    public var allowedSourceNetworks: [CIDR]
    /// Networks beyond the public ones that PDAs may be in.
    public var allowedPDANetworks: [CIDR]
    /// The `host:port` (`HTTPURL.hostAndPort`) of each PDA that the operator named on the command line.
    ///
    /// Where one leads to a loopback address it may be dialled as such, and over http; elsewhere it changes nothing.
    public var trustedPDAs: Set<String> = []
    /// The `host:port` of each server that the operator named in the place of a source.
    ///
    /// It may be on this machine, and over http. Elsewhere it must be in a network of `allowedSourceNetworks`: requests with a
    /// person's credentials go to no public address by mistake.
    public var standIns: Set<String> = []
    /// The proxy for all requests, such as `http://proxy.example:3128`. The environment's are ignored.
    ///
    /// Names are then resolved by the proxy, which has to keep private networks shut itself.
    public var proxy: String?
    /// For each side a PEM file with certificate authorities that are trusted in addition to the system's.
    public var certificateAuthorityFiles: [NetworkSide: String]
    /// How the program introduces itself where a request does not say: `plughost/VERSION`.
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

    /// The networks that are open to a side beyond the public ones.
    public func allowedNetworks(for side: NetworkSide) -> [CIDR] {
        switch side {
        case .source: allowedSourceNetworks
        case .pda: allowedPDANetworks
        }
    }
}
