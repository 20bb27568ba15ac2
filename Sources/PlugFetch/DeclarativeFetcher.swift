package import CurlTransport
package import LosslessJSON
package import PlugCore
package import PlugManifest
package import Throttling

/// Reads the streams of a manifest over HTTP, applying its authorisation, paging, incremental bounds, parents and limits.
///
/// One fetcher serves one run of one connection. All its readers share its credentials, which go only to the manifest's hosts,
/// and the plug's limits, which are shared with the fetchers of other connections.
package final class DeclarativeFetcher: Fetcher {
    private let manifest: Manifest
    let exchange: Exchange
    private let options: FetchOptions
    private let plans: [String: StreamPlan]
    private let config: ConfigMark
    /// Requests of all streams obey the same limits.
    package var readsStreamsTogether: Bool { true }

    /// Redacts this connection's secrets.
    package var redactor: Redactor { exchange.redactor }

    /// Makes a fetcher and renders what is constant for the whole run: hosts, `vars`, credentials, headers.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - config: The configuration with its secrets; the manifest's defaults fill in what is missing.
    ///   - transport: Sends the requests; it must leave redirects to the fetcher.
    ///   - clock: The source of time and randomness. Waits go through it.
    ///   - limits: The limits shared by all fetchers of a process; `nil` for fresh limits of its own.
    ///   - options: What the user asks of this run.
    ///   - observer: Receives requests, waits and warnings, on any thread; it must not block.
    /// - Throws: `PlugError` if the configuration lacks what a template refers to, or a credential is empty.
    package init(
        manifest: Manifest,
        config: JSONObject,
        transport: any HTTPSending,
        clock: any HostClock = SystemClock(),
        limits: SourceLimits? = nil,
        options: FetchOptions = FetchOptions(),
        observer: (@Sendable (FetchEvent) -> Void)? = nil
    ) throws(PlugError) {
        let config = manifest.withDefaults(config)
        var manifest = try manifest.choosing(config)
        // A run that reads only an export needs neither a consent nor a token.
        if let wanted = options.streams, manifest.readsArchivesOnly(wanted) {
            manifest = manifest.replacing(authorization: Authorization.none)
        }
        var roots = try TemplateRoots(of: manifest, config: manifest.withoutFiles(config), now: clock.now())
        let vars = roots.vars.object ?? JSONObject()
        let redactor = Redactor(manifest, config: config, vars: vars, hidden: LiteralCredentials.of(manifest))
        // Parts of requests, including token requests, may be made of secrets.
        roots.observer = { value, expression in redactor.learn(value, of: expression) }
        let hosts = try HostSet(manifest.hosts, roots)
        let shownConfig = manifest.withoutSecrets(config)
        let limits = limits ?? SourceLimits(clock: clock)
        var base = try BaseAddress(manifest.http.base, roots, hosts: hosts, redactor: redactor)
        let named = NamedHosts.of(manifest, base: base.fixed, roots)
        let clients = options.clients
        let credentials = try Credentials(manifest.authorization, hosts: hosts, named: named, clients: clients, roots)
        var own: [String: Credentials] = [:]
        for stream in manifest.streams {
            guard let authorization = stream.authorization else { continue }
            let named = NamedHosts.of(manifest, base: base.fixed, stream: stream, roots)
            own[stream.name] = try Credentials(authorization, hosts: hosts, named: named, roots)
        }
        let source = try Self.tokenSource(manifest, hosts: hosts, credentials, shownConfig, options, roots)
        redactor.hide(
            credentials.hidden + own.values.flatMap(\.hidden) + (source?.secrets.map { $0.reveal() } ?? [])
        )
        let tokens = source.map { source in
            TokenKeeper(
                source,
                use: manifest.authorization.tokenUse,
                roots,
                vault: options.connection == nil ? nil : options.grants,
                connection: options.connection ?? ConnectionID(""),
                clock: clock,
                redactor: redactor
            )
        }
        base.tokens = tokens
        let exchange = Exchange(
            settings: manifest.http,
            base: base,
            config: shownConfig,
            hosts: hosts,
            credentials: credentials,
            tokens: tokens,
            redactor: redactor,
            transport: transport,
            shared: SharedAnswers(
                manifest,
                reading: options.streams ?? Set(manifest.streams.filter { $0.path != nil }.map(\.name)),
                options.answerRoom
            ),
            scratch: HTTPSpooling(folder: options.scratchFolder, room: options.scratchRoom),
            blockRecords: options.blockRecords,
            largestWholePage: options.pageLimit == nil ? options.largestWholePage : nil,
            clock: clock,
            limit: limits.source(
                "\(manifest.id) \(hosts.name)",
                manifest.http.limits,
                concurrency: manifest.http.concurrency
            ),
            matched: manifest.http.matchedLimits.map { matched in
                let name = "\(manifest.id) \(hosts.name) \(matched.match.text)"
                return (matched.match, limits.source(name, matched.rates, concurrency: matched.concurrency))
            },
            own: limits.connection(options.connection),
            concurrency: options.concurrency,
            readsAhead: options.readsAhead,
            observer: observer
        )
        let headers = try HeaderFields.render(manifest.http.headers, roots)
        let keys =
            options.readsUnchanged || options.since != nil
            ? nil : ValidatorKeys(manifest, config: manifest.withoutFiles(config))
        let needs = StreamNeeds(manifest.streams, manifest.http, manifest.authorization)
        var plans: [String: StreamPlan] = [:]
        for stream in manifest.streams {
            let builder = stream.request.map { request in
                RequestBuilder(
                    stream: stream,
                    definition: request,
                    roots: roots,
                    base: base,
                    headers: headers,
                    credentials: own[stream.name],
                    exchange: exchange
                )
            }
            let credentials = own[stream.name]
            let module = try stream.module.map { source throws(PlugError) in
                let options = try source.options?.render(roots) ?? .object(JSONObject())
                return BoundModule(source: source, options: options) {
                    ModuleHost(stream, exchange, headers: headers, credentials: credentials)
                }
            }
            plans[stream.name] = StreamPlan(
                try stream.measured(roots),
                roots: roots,
                builder: builder,
                module: module,
                exchange: exchange,
                config: shownConfig,
                file: stream.archive.flatMap { config[JSONString($0.file)]?.stringText },
                // With `missing`, everything is compared again as long as the validator is held back.
                validatorKeys: stream.missing == nil ? keys : nil,
                needs: needs,
                firstDay: options.firstDay,
                isTrial: options.isTrial
            )
        }
        self.manifest = manifest
        self.exchange = exchange
        self.options = options
        self.plans = plans
        self.config = ConfigMark(manifest, config)
    }

    /// The source of the run's tokens; `nil` if `auth` needs none.
    private static func tokenSource(
        _ manifest: Manifest,
        hosts: HostSet,
        _ credentials: Credentials,
        _ config: JSONValue,
        _ options: FetchOptions,
        _ roots: TemplateRoots
    ) throws(PlugError) -> (any TokenSource)? {
        switch manifest.authorization {
        case .oauth2(let settings):
            if let token = options.accessToken { return GivenToken(token, options.grantValues) }
            return try OAuthSource(settings, clients: options.clients, config: config, roots)
        case .oauth1(let settings):
            guard let consent = settings.consent else { return nil }
            if let token = options.accessToken { return GivenToken(token, signingWith: options.tokenSecret) }
            return try OAuth1Source(settings, consent, clients: options.clients, roots)
        case .login(let settings):
            return try LoginSource(settings, http: manifest.http, hosts: hosts, credentials, config: config, roots)
        default: return nil
        }
    }

    /// Begins a pass of a stream, or continues one.
    ///
    /// For a stream with `for_each`, the parent's pages are walked but not delivered; the parent's own states are not touched.
    ///
    /// - Throws: `PlugError` if the stream is unknown or a state unreadable.
    package func withReader<Result>(
        of stream: String,
        from states: any StreamStates,
        _ body: (any PageReader) async throws -> Result
    ) async throws -> Result {
        let plan = try plan(stream)
        defer { exchange.shared.end(stream) }
        exchange.warnOfShortSecrets(stream)
        let state = stillValid(try PartState(try await states.state(of: ""), stream: stream), of: plan)
        // The kept values of the token response must be available before the first request is built from them.
        if case .oauth2(let settings) = manifest.authorization, !settings.keep.isEmpty {
            _ = try await exchange.tokens?.token(for: stream, through: exchange)
        }
        guard let parents = try ParentSource(of: plan.stream, plans) else {
            // Nothing is prefetched, and thousands of small streams need no scope.
            return try await body(try reader(plan, state))
        }
        return try await FetchScope.with { scope in
            try await body(try reader(plan, parents, state, states, scope))
        }
    }

    /// A state as far as it is valid with the configuration of this run.
    ///
    /// The position of an interrupted pass was one in the pages of the earlier configuration, so the pass starts over. The
    /// watermark stays: most changes concern what comes next. That earlier records of the new configuration are not read then is
    /// worth a warning, unless the user has said from when to read.
    private func stillValid(_ state: PartState, of plan: StreamPlan) -> PartState {
        let changes = config.changes(since: state.config, readsLists: plan.stream.parent?.hasList == true)
        guard !changes.isEmpty else { return state }
        if let watermark = state.watermark, !watermark.isNull, options.since == nil {
            let stream = plan.stream.name
            let names = changes.map { "'\($0)'" }.joined(separator: ", ")
            let connection = options.connection.map { DisplayText.escaped($0.name) } ?? "NAME"
            let message =
                "the configuration has changed since the last run (\(names)): the stream continues from its cursor, and records "
                + "from before it that only the new configuration shows are not read; to read everything again, use 'plughost "
                + "connection rewind \(connection) --stream \(stream)'"
            exchange.warnOnce(stream, .configChanged, message)
        }
        return PartState(watermark: state.watermark)
    }

    // The walks are made outside asynchronous functions, whose frames would reserve room for them.

    @inline(never)
    private func reader(_ plan: StreamPlan, _ state: PartState) throws(PlugError) -> WalkReader {
        let walk = try plan.walk(for: plan.stream.name, saved: state, given: try plan.given(options.since))
        return reader(walk, plan, state)
    }

    @inline(never)
    private func reader(
        _ plan: StreamPlan,
        _ parents: ParentSource,
        _ state: PartState,
        _ states: any StreamStates,
        _ scope: FetchScope
    ) throws(PlugError) -> WalkReader {
        let reading = ParentSource.Reading(
            reader: plan.stream.name,
            child: plan,
            // A pass that compares records reads everything.
            since: plan.stream.missing == nil ? options.since : nil,
            goesBack: true,
            scope: scope
        )
        let walk = try ChildWalk(plan, of: parents, from: state, states: states, reading)
        return reader(walk, plan, state)
    }

    private func reader(_ walk: any Walk, _ plan: StreamPlan, _ state: PartState) -> WalkReader {
        let merges = options.pageLimit == nil && PageMerge.suits(plan.stream)
        return WalkReader(
            walk,
            of: plan.stream.name,
            clock: exchange.clock,
            pageLimit: options.pageLimit,
            merges: merges,
            config: config.stored,
            isAtStart: state.pass.map(\.isNull) ?? true
        )
    }

    private func plan(_ stream: String) throws(PlugError) -> StreamPlan {
        if let plan = plans[stream] { return plan }
        throw PlugError(
            .unknownStream,
            exit: .usage,
            "the plug '\(manifest.id)' has no stream '\(DisplayText.escaped(stream))'",
            advice: "its streams are: \(manifest.streams.map(\.name).joined(separator: ", "))"
        )
    }
}
