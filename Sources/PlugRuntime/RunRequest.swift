package import LosslessJSON
package import OAuth
package import PlugCore
package import PlugFetch
package import PlugManifest

/// A request for one run of one connection.
package struct RunRequest: Sendable {
    /// The plug.
    package var manifest: Manifest
    /// The PDA's origin: `https://alice.example`, without a path.
    package var pda: String
    /// The application token as read from the token file; `nil` for the one in the store.
    package var token: Secret?
    /// Whether a token of another PDA or another application is accepted, with a warning.
    package var acceptsForeignToken = false
    /// The connection's name; `nil` derives it from the plug's id, the PDA and the non-secret answers.
    package var connection: String?
    /// The person's answers, defaults filled in, secrets included.
    package var config: JSONObject
    /// The keys of `config` that the person has answered; `nil` for all. A default that a manifest adds changes no name.
    package var answered: Set<String>?
    /// The streams to run; `nil` runs all delivered streams.
    package var streams: [String]?
    /// A lower bound that replaces the watermarks, for this run only.
    package var since: String?
    /// The first day that the person wants; `nil` leaves it to the manifest.
    package var firstDay: String?
    /// Fetches and normalises, but delivers and keeps nothing.
    package var isDryRun = false
    /// With `isDryRun`, how much is read and shown, for a plug's author; `nil` reads everything.
    package var trial: Trial?
    /// Sends records that the ledger knows as well.
    package var resends = false
    /// Assumes that the rest of a batch is present after 32 random probes of it were all exact duplicates.
    package var acceptsDuplicates = false
    /// Treats things that a complete pass did not find as gone, however many there are.
    package var acceptsDeletions = false

    /// Writes every batch into the outbox before sending it, as for sources that cannot be read again.
    package var queuesEverything = false
    /// Whether streams may be read concurrently, if the fetcher allows it.
    package var readsStreamsTogether = true
    /// The longest wait granted to a source or PDA before the run ends and reports when to retry (`PlugError.retryAt`), for a
    /// host that has other connections to run; `nil` for what the manifest grants.
    package var longestWait: Duration?
    /// Ends the run between two pages; `nil` if no one else waits for its place.
    package var yielding: YieldSignal?
    /// Advice for an error, where it differs from the error's own advice to a person at a terminal.
    package var advice: (@Sendable (PlugError) -> String?)?
    /// How long it may take, and how much may be stored.
    package var limits = RunLimits()
    /// What the host provides to plugs' programs; `nil` if it runs none.
    package var programs: ProgramPolicy?
    /// This host's OAuth clients, by provider.
    package var clients: [String: ClientIdentity] = [:]

    /// Creates a request to run all streams.
    package init(manifest: Manifest, pda: String, token: Secret?, config: JSONObject) {
        self.manifest = manifest
        self.pda = pda
        self.token = token
        self.config = config
    }
}

/// A bounded look at a source: some pages, the fates of their records, and what they show about the manifest.
package struct Trial: Sendable, Equatable {
    /// The maximum number of pages of each stream.
    package var pages: Int
    /// The maximum number of records of each stream that are reported in the source's form.
    package var records: Int
    /// Whether members that the manifest marks as sensitive are reported too.
    package var reveals = false

    /// Creates a trial.
    package init(pages: Int, records: Int) {
        self.pages = pages
        self.records = records
    }
}
