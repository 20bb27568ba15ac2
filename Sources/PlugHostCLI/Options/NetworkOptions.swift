internal import ArgumentParser
internal import CurlTransport
internal import HostConfiguration
internal import PlugCore
internal import PlugFetch

/// `--allow-network` and `--proxy`: what may be dialled beyond public addresses, and how.
struct NetworkOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Allow a private network for sources and PDAs, or for one of them. Repeatable.",
            valueName: "[source=|pda=]cidr"
        )
    )
    var allowNetwork: [String] = []

    @Option(
        help: ArgumentHelp("The proxy for all requests; proxies from the environment are not used.", valueName: "url")
    )
    var proxy: String?

    /// Lends the transport of one command, as `transport(pda:)` makes it.
    ///
    /// - Parameters:
    ///   - settings: The configuration of the host whose private networks are allowed, too.
    ///   - routes: Servers that replace sources.
    func withTransport<Result>(
        pda: HTTPURL?,
        of settings: HostSettings? = nil,
        routes: [SourceRoute] = [],
        _ work: (HTTPTransport) async throws -> Result
    ) async throws -> Result {
        try await lend(transport(pda: pda, of: settings, routes: routes), closing: { await $0.shutDown() }, to: work)
    }

    /// The transport of one command. Its creator shuts it down: commands use `withTransport`. A PDA named on the command line may
    /// be on this machine.
    ///
    /// - Parameters:
    ///   - pda: Its address; `nil` for none. PDAs from a file do not count: it contains what people entered.
    ///   - settings: The configuration of a host: its private networks are added to those of the options.
    ///   - routes: Servers that replace sources.
    /// - Throws: `PlugError` `bad-network`, `bad-proxy` (usage), `transport-failed` (our bug).
    func transport(
        pda: HTTPURL?,
        of settings: HostSettings? = nil,
        routes: [SourceRoute] = []
    ) throws(PlugError) -> HTTPTransport {
        var policy = NetworkPolicy()
        policy.standIns = Set(routes.map(\.place.hostAndPort))
        policy.allowedPDANetworks = settings?.pda.networks.value ?? []
        policy.allowedSourceNetworks = settings?.source.networks.value ?? []
        policy.trustedPDAs = Set([pda?.hostAndPort].compactMap(\.self))
        return try transport(policy)
    }

    /// The transport of a policy, extended by the options.
    func transport(_ policy: NetworkPolicy) throws(PlugError) -> HTTPTransport {
        var policy = policy
        policy.userAgent = "plughost/\(PlugHostProgram.version)"
        for network in allowNetwork { try Self.open(network, in: &policy) }
        if let proxy {
            guard (try? HTTPURL(proxy)) != nil else {
                throw PlugError(
                    .badProxy,
                    "--proxy is not an http or https address",
                    advice: "write --proxy http://proxy.example:3128"
                )
            }
            policy.proxy = proxy
        }
        do { return try HTTPTransport(policy: policy) } catch {
            throw PlugError(.transportFailed, "HTTP cannot be set up: \(error.message)")
        }
    }

    private static func open(_ network: String, in policy: inout NetworkPolicy) throws(PlugError) {
        let parts = network.split(separator: "=", maxSplits: 1).map(String.init)
        let side = parts.count == 2 ? parts[0] : nil
        guard let cidr = CIDR(parts.last ?? ""), [nil, "source", "pda"].contains(side) else {
            throw PlugError(
                .badNetwork,
                "'\(DisplayText.escaped(network))' is not a network",
                advice: "write --allow-network 10.0.0.0/8, source=10.0.0.0/8 or pda=10.0.0.0/8"
            )
        }
        if side != "pda" { policy.allowedSourceNetworks.append(cidr) }
        if side != "source" { policy.allowedPDANetworks.append(cidr) }
    }
}
