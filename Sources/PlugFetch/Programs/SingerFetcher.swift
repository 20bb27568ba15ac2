internal import CurlTransport
package import LosslessJSON
package import PlugCore
package import PlugManifest
internal import Programs
internal import Singer

/// Reads the streams of a plug with a program that uses Singer messages: one process for all of them, with one state.
package final class SingerFetcher: MixedFetcher {
    private let manifest: Manifest
    let settings: ProgramSettings
    let permissions: ProgramPermissions
    let egress: EgressRules
    /// Its configuration, rendered; `nil` for none.
    private let config: JSONValue?
    private let isPreview: Bool
    private let observer: (@Sendable (FetchEvent) -> Void)?
    /// Redacts this connection's secrets.
    package let redactor: Redactor

    /// Makes a fetcher and renders the program's configuration.
    ///
    /// - Parameters:
    ///   - manifest: The manifest, which has a program.
    ///   - config: The configuration with its secrets; the manifest's defaults fill in what is missing.
    ///   - means: What the host provides to programs.
    ///   - clock: The time of the run.
    ///   - isPreview: Whether all streams of the manifest are selected, even if not all are read: some programs read a stream only
    ///     together with another one.
    ///   - observer: Receives warnings, on any thread.
    /// - Throws: `PlugError` if the configuration lacks what a template refers to, or the operator does not allow the program.
    package init(
        manifest: Manifest,
        config: JSONObject,
        means: ProgramPolicy,
        clock: any HostClock = SystemClock(),
        isPreview: Bool = false,
        observer: (@Sendable (FetchEvent) -> Void)? = nil
    ) throws(PlugError) {
        guard let settings = manifest.program else {
            throw PlugError(.unexpected, "the plug '\(manifest.id)' has no program", advice: "report it")
        }
        let config = manifest.withDefaults(config)
        var roots = try TemplateRoots(of: manifest, config: config, now: clock.now())
        let redactor = Redactor(
            manifest,
            config: config,
            vars: roots.vars.object ?? JSONObject(),
            hidden: LiteralCredentials.of(manifest)
        )
        roots.observer = { value, expression in redactor.learn(value, of: expression) }
        let hosts = try HostSet(manifest.hosts, roots)
        permissions = means.permissions(of: manifest.id)
        try means.checkTrust(manifest.id, settings.trust)
        if means.network.hasProxy, !permissions.areTrusted {
            throw PlugError(
                .programProxy,
                "the program of the plug '\(manifest.id)' cannot reach its hosts through the proxy of --proxy",
                advice: "run it without --proxy"
            )
        }
        egress = EgressRules(policy: means.network, list: hosts.list) { host, port, scheme in
            hosts.contains(host: host, port: port, scheme: scheme)
        }
        self.config = try settings.config?.render(roots)
        (self.manifest, self.settings, self.redactor) = (manifest, settings, redactor)
        (self.isPreview, self.observer) = (isPreview, observer)
    }

    /// Reads a single stream from the beginning.
    package func withReader<Result>(
        of stream: String,
        from states: any StreamStates,
        _ body: (any PageReader) async throws -> Result
    ) async throws -> Result {
        // A result that leaves the program's task is kept here.
        var result: Result?
        try await withMixedReader(of: [stream], from: nil) { reader in
            result = try await body(SingleStreamReader(reader, stream: stream))
        }
        guard let result else {
            throw PlugError(.unexpected, "the program was not read", advice: "report it; running again loses nothing")
        }
        return result
    }

    /// Reads several streams with one process.
    package func withMixedReader<Result: Sendable>(
        of streams: [String],
        from state: StreamState?,
        _ body: (any MixedReader) async throws -> Result
    ) async throws -> Result {
        let wanted = manifest.streams.filter { streams.contains($0.name) }
        let names = Set(wanted.compactMap(\.tapStream))
        let selection = isPreview ? Set(manifest.streams.compactMap(\.tapStream)) : names
        var kept = state.map { SingerState($0.bytes) }
        let keys = kept?.keys ?? [:]
        if let state = kept, let new = wanted.first(where: { !state.covers($0.name, $0.tapStream) }) {
            // Nothing of it is lost, and nothing of the others is stored twice.
            kept = nil
            warnOfNew(new.name)
        }
        let reading = SingerReading(
            wanted: names,
            named: Set(manifest.streams.compactMap(\.tapStream) + settings.ignored),
            keyless: Set(wanted.filter { $0.key.isEmpty && $0.options.hasIdentity }.compactMap(\.tapStream)),
            known: keys,
            hasState: kept != nil,
            hiding: { [redactor] in redactor.shown(whole: $0) }
        )
        let limits = settings.limits.whole
        return try await withProgram(call(selection, kept?.value, limits), permissions, egress: egress) { program in
            try await body(
                SingerReader(
                    program,
                    reading,
                    limits,
                    streams: Dictionary(grouping: wanted, by: { $0.tapStream ?? "" }).mapValues { $0.map(\.name) },
                    command: settings.command[0],
                    redactor: redactor,
                    observer: observer
                )
            )
        }
    }

    private func warnOfNew(_ stream: String) {
        let text =
            "the program's state was made without the stream '\(DisplayText.escaped(stream))', or with another 'tap_stream' for it: "
            + "everything is read from the beginning"
        observer?(FetchEvent(stream: stream, .warning(code: .programStreamNew, message: text)))
    }

    private func call(_ streams: Set<String>, _ state: [UInt8]?, _ limits: ProgramLimits) -> ProgramCall {
        var call = self.call(limits)
        if let catalogue = settings.catalogue {
            let fields: SingerCatalogue.Marks = settings.takesProperties ? .inMetadataAndSchema : .inMetadata
            let text = SingerCatalogue.selecting(streams, in: catalogue, fields).compactText
            call.files.append(("catalog.json", Secret(text)))
            call.arguments += ["--catalog", "{catalog.json}"]
            if settings.takesProperties { call.arguments += ["--properties", "{catalog.json}"] }
        }
        if let state {
            call.files.append(("state.json", Secret(String(decoding: state, as: UTF8.self))))
            call.arguments += ["--state", "{state.json}"]
        }
        return call
    }

    /// The program with its own arguments and its configuration.
    func call(_ limits: ProgramLimits) -> ProgramCall {
        var call = ProgramCall(
            command: settings.command[0],
            arguments: Array(settings.command.dropFirst()),
            folder: WholeFile.folder(of: manifest.source.path),
            limits: limits
        )
        if let config {
            call.files.append(("config.json", Secret(config.compactText)))
            call.arguments += ["--config", "{config.json}"]
        }
        return call
    }
}

extension ProgramSettings.Limits {
    /// With the default limits if the manifest says nothing.
    var whole: ProgramLimits {
        var whole = ProgramLimits()
        whole.time = time ?? whole.time
        whole.memory = memory ?? whole.memory
        whole.processes = processes ?? whole.processes
        whole.output = output ?? whole.output
        whole.line = line ?? whole.line
        whole.disk = disk ?? whole.disk
        return whole
    }
}
