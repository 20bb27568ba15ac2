package import CurlTransport
internal import JQ
package import LosslessJSON
package import PlugCore
package import PlugManifest
package import Throttling

/// Asks whose account it is (`check:`), with the limits and the credentials of a run.
package struct AccountProbe: Sendable {
    private let manifest: Manifest
    private let config: JSONObject
    private let transport: any HTTPSending
    private let limits: SourceLimits?
    private let clock: any HostClock

    /// - Parameters:
    ///   - manifest: The plug, with the alternatives that the configuration chooses.
    ///   - config: The user's answers.
    ///   - transport: Sends the request.
    ///   - limits: As for `DeclarativeFetcher`.
    package init(
        manifest: Manifest,
        config: JSONObject,
        transport: any HTTPSending,
        clock: any HostClock,
        limits: SourceLimits? = nil
    ) {
        (self.manifest, self.config, self.transport, self.limits) = (manifest, config, transport, limits)
        self.clock = clock
    }

    /// The name of the stream made from a check that has a request of its own.
    private static let ownStream = "check"

    /// Reads what `check` names, once.
    ///
    /// - Parameter options: With the connection, its vault and the host's clients.
    /// - Returns: The account's name, `nil` if the manifest does not say how to find it or the account has none.
    /// - Throws: `PlugError` if the account cannot be read; `account-unreadable` if `who` fails on the answer.
    package func account(_ check: AccountCheck, _ options: FetchOptions) async throws -> String? {
        var manifest = manifest
        let stream: String
        switch check.target {
        case .stream(let name): stream = name
        case .request(let request):
            stream = Self.ownStream
            manifest = manifest.replacing(streams: [try Self.stream(request, like: manifest.streams.first)])
        }
        var options = options
        options.pageLimit = 1
        let fetcher = try DeclarativeFetcher(
            manifest: manifest,
            config: config,
            transport: transport,
            clock: clock,
            limits: limits,
            options: options
        )
        let record = try await fetcher.withReader(of: stream, from: NoStates()) { reader in
            try await reader.next()?.records.first?.value
        }
        guard let who = check.who else { return nil }
        let globals = RecordGlobals.answer.values(parents: [], config: manifest.withoutSecrets(config))
        do {
            let found = try who.run(record ?? .null, globals: globals).first
            return found.flatMap { $0.isNull ? nil : $0.stringText ?? $0.compactText }.map(Self.label)
        } catch {
            throw PlugError(
                .accountUnreadable,
                "the program 'check.who' failed on the answer about the account",
                advice: "request it by hand and compare the answer with 'who' in the manifest"
            )
        }
    }

    /// A stream that sends this request, and takes the whole answer as its record.
    private static func stream(_ request: Request, like other: Stream?) throws(PlugError) -> Stream {
        guard let other, let whole = try? JQProgram("[.]", globals: RecordGlobals.alone.names) else {
            throw PlugError(.accountUnreadable, "the manifest has no stream", advice: "run 'plughost validate'")
        }
        var options = StreamOptions()
        options.hasIdentity = false
        // The other stream's parameters and decoding are its own, and are not taken over.
        return Stream(
            name: ownStream,
            request: request,
            rules: [],
            records: whole,
            key: [],
            declaresVersion: false,
            fields: [],
            options: options,
            tests: [],
            identityMarks: .none,
            places: other.places
        )
    }

    /// A name that fits on one line.
    private static func label(_ text: String) -> String {
        let line = text.split { $0.isWhitespace }.joined(separator: " ")
        return String(line.prefix(100))
    }
}
