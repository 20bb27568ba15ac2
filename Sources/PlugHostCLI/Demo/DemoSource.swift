internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugManifest
internal import PlugTesting

/// The demonstration's source: the service itself, or its recorded answers from a server on this machine.
struct DemoSource {
    let config: JSONObject
    let transport: any HTTPSending
    /// Why the service itself is not read; `nil` if it is.
    let reason: String?
    /// What to shut down at the end.
    private let network: HTTPTransport
    private let server: ReplayServer?
    private let clock: any HostClock
    /// A live service may have years of data.
    private static let pageLimit = 3

    /// Asks the service for one page and uses it if it answers in time, else the recorded conversation.
    ///
    /// - Parameter patience: How long the service may take.
    /// - Throws: `PlugError` `demo-no-source` (69) if there is neither, and the errors of the options.
    init(
        _ plug: DemoPlug,
        answers: ConfigAnswers,
        network options: NetworkOptions,
        pda: HTTPURL,
        isOffline: Bool,
        clock: any HostClock,
        patience: Duration = .seconds(5)
    ) async throws {
        self.clock = clock
        var reason = "--offline was given"
        if !isOffline, let config = try plug.liveConfig(answers, now: clock.now()) {
            let transport = try options.transport(pda: pda)
            if let failure = await Self.probe(plug.manifest, config, transport, clock, patience) {
                reason = failure
                await transport.shutDown()
            } else {
                self.config = config
                self.transport = transport
                self.reason = nil
                network = transport
                server = nil
                return
            }
        } else if !isOffline {
            reason = "it needs configuration that was not given with --config"
        }
        guard let cassette = plug.cassette else {
            throw PlugError(
                .demoNoSource,
                "\(DisplayText.escaped(plug.name)) cannot be read (\(reason)), and the plug has no recorded answers",
                advice: "check the network, or use a plug that has a fixture"
            )
        }
        let server = try ReplayServer(cassette)
        var local = options
        local.proxy = nil
        local.allowNetwork.append("source=127.0.0.0/8")
        network = try local.transport(pda: pda)
        self.server = server
        self.reason = reason
        config = plug.storedConfig(cassette)
        transport = RedirectingTransport(network, toSourcesAt: server.origin)
    }

    /// A fetcher that starts at the beginning, whatever has been stored.
    func fetcher(_ manifest: Manifest) throws(PlugError) -> any Fetcher {
        var options = FetchOptions()
        if reason == nil { options.pageLimit = Self.pageLimit }
        return StatelessFetcher(
            inner: try DeclarativeFetcher(
                manifest: manifest,
                config: config,
                transport: transport,
                clock: clock,
                options: options
            )
        )
    }

    /// Ends the server and the transport.
    func shutDown() async {
        server?.stop()
        await network.shutDown()
    }

    /// `en.wikipedia.org has no address` of `GET https://en.wikipedia.org/w/api.php: en.wikipedia.org has no address`.
    private static func withoutAddress(_ message: String) -> String {
        guard message.hasPrefix("GET ") || message.hasPrefix("POST "), let colon = message.firstRange(of: ": ") else {
            return message
        }
        return String(message[colon.upperBound...])
    }

    /// Why the service returns no page; `nil` if it does.
    private static func probe(
        _ manifest: Manifest,
        _ config: JSONObject,
        _ transport: HTTPTransport,
        _ clock: any HostClock,
        _ patience: Duration
    ) async -> String? {
        guard
            let stream = manifest.streams.first(where: { $0.path != nil && $0.parent == nil })
                ?? manifest.streams.first
        else { return "it has no stream" }
        return await withTaskGroup(of: String?.self) { group in
            group.addTask {
                do {
                    let fetcher = try DeclarativeFetcher(
                        manifest: manifest,
                        config: config,
                        transport: transport,
                        clock: clock,
                        options: FetchOptions(pageLimit: 1)
                    )
                    let page = try await fetcher.withReader(of: stream.name, from: NoStates()) { try await $0.next() }
                    return page?.records.isEmpty == false ? nil : "it answers, but has no records"
                } catch let error as PlugError {
                    return withoutAddress(error.message)
                } catch {
                    return "it was interrupted"
                }
            }
            group.addTask {
                try? await clock.sleep(for: patience)
                return "it did not answer within \(patience.components.seconds) s"
            }
            let first = await group.next()
            group.cancelAll()
            return first ?? nil
        }
    }
}

/// Reads everything again in each run, so that known records show.
private struct StatelessFetcher: Fetcher {
    let inner: any Fetcher

    func withReader<Result>(
        of stream: String,
        from states: any StreamStates,
        _ body: (any PageReader) async throws -> Result
    ) async throws -> Result {
        try await inner.withReader(of: stream, from: NoStates(), body)
    }
}
