package import LosslessJSON
package import OAuth
package import PlugCore
package import PlugFetch
package import PlugManifest

/// One run of one connection, as somebody asked for it.
package struct RunRequest: Sendable {
    /// The plug.
    package var manifest: Manifest
    /// The PDA's origin: `https://alice.example`, without a path.
    package var pda: String
    /// The application token as the token file holds it; `nil` for the one that the store keeps.
    package var token: Secret?
    /// The connection's name; `nil` derives it from the plug's id, the PDA and the answers that are not secret.
    package var connection: String?
    /// The person's answers, defaults filled in, secrets included.
    package var config: JSONObject
    /// Which keys of `config` the person has answered; `nil` for all. What a manifest adds with a default changes no name.
    package var answered: Set<String>?
    /// The streams to run; `nil` runs all that are delivered.
    package var streams: [String]?
    /// A lower bound that takes the place of the watermarks, for this run.
    package var since: String?
    /// The first day that the person wants; `nil` leaves it to the manifest.
    package var firstDay: String?
    /// Fetches and normalises, delivers nothing and keeps nothing.
    package var isDryRun = false
    /// With `isDryRun`, how much is read and shown, for somebody who writes the plug; `nil` reads everything.
    package var trial: Trial?
    /// Sends what the ledger knows as well.
    package var resends = false
    /// Takes the rest of a batch for present after 32 random probes of it were all exact duplicates.
    package var acceptsDuplicates = false
    /// Takes things for gone that a complete pass did not find, however many they are.
    package var acceptsDeletions = false

    /// Writes every batch into the outbox before it is sent, as for sources that cannot be read again.
    package var queuesEverything = false
    /// Whether streams may be read at the same time, where the fetcher allows it.
    package var readsStreamsTogether = true
    /// The longest wait that a source or PDA is granted before the run ends and says until when (`PlugError.retryAt`), for a
    /// host that has others to run meanwhile; `nil` for what the manifest grants.
    package var longestWait: Duration?
    /// Ends the run between two pages; `nil` where nobody else waits for its place.
    package var yielding: YieldSignal?
    /// What to do about an error, where that is not what the error itself says to somebody at a terminal.
    package var advice: (@Sendable (PlugError) -> String?)?
    /// How long it may take, and how much may be kept.
    package var limits = RunLimits()
    /// What the host lends to programs of plugs; `nil` where it runs none.
    package var programs: ProgramMeans?
    /// The OAuth clients of this host, by provider.
    package var clients: [String: ClientIdentity] = [:]

    /// A run of all streams.
    package init(manifest: Manifest, pda: String, token: Secret?, config: JSONObject) {
        self.manifest = manifest
        self.pda = pda
        self.token = token
        self.config = config
    }
}

/// A bounded look at a source: some pages, with what became of their records and what they show of the manifest.
package struct Trial: Sendable, Equatable {
    /// The most pages of each stream.
    package var pages: Int
    /// The most records of each stream that are told as the source has them.
    package var records: Int
    /// Whether members that the manifest calls sensitive are told, too.
    package var reveals = false

    /// A look.
    package init(pages: Int, records: Int) {
        self.pages = pages
        self.records = records
    }
}
