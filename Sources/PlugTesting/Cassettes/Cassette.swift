package import CurlTransport
package import LosslessJSON
package import PlugCore

/// A stored conversation with a source: `fixtures/NAME.json`. `Plugs/README.md` has the format.
package struct Cassette: Sendable {
    /// One request and its answer.
    package struct Exchange: Sendable {
        /// `GET` or `POST`.
        package var method: String
        /// The expected URL; the order of the query's parameters does not matter.
        package var url: HTTPURL
        /// The JSON body that must be sent, `nil` for none.
        package var requestBody: JSONValue?
        /// Headers that must be sent with these values; others are allowed.
        package var requestHeaders: [HTTPHeader] = []
        /// Fields of a form, or members of a JSON body, that must be present, with any value.
        package var ignoredBody: [String] = []
        /// Query parameters that must be present, with any value.
        package var ignoredQuery: [String]
        /// The answer's status.
        package var status: Int
        /// The answer's headers.
        package var headers: [HTTPHeader]
        /// The answer's body, byte by byte.
        package var body: [UInt8]
        /// The line in the file at which the exchange begins, from 1.
        package var line: Int
    }

    /// An error that the conversation must lead to.
    package struct Failure: Sendable, Equatable {
        /// Its code.
        package var code: String
        /// Part of its message, such as the service's own words; `nil` for any message.
        package var says: String?
    }

    /// The file, as it was named.
    package var path: String
    /// The configuration, without the manifest's defaults.
    package var config: JSONObject
    /// The stream to read, `nil` for all that are delivered.
    package var stream: String?
    /// What the clock shows when the replay begins, in microseconds since 1970.
    package var now: Int64
    /// The maximum number of pages read of each stream; `nil` reads them to their ends.
    package var pages: Int?
    /// How many passes of each stream are read, each from where the previous one ended.
    package var passes = 1
    /// What was granted before; `nil` if every request gets a token without asking for it.
    package var grant: ReplayedGrant?
    /// The `_id`s that the previous pass found, by stream, for `deletes: {missing: true}`.
    package var before: [String: [String]] = [:]
    /// The account that `check` must name, inner `nil` for none; outer `nil` if it is not asked for.
    package var account: String??
    /// The error with which reading must end; `nil` if it must succeed.
    package var failure: Failure?
    /// The conversation, in order; empty if nothing is requested.
    package var exchanges: [Exchange]
    /// The archives that are read, as `load` has made them; `nil` without any.
    var archives: FixtureArchives?
    /// The paths of archives beside the fixture, by config key.
    var archiveNames: [(key: String, path: String)] = []
    /// `LINE:COLUMN` of `stream` and of each `config.KEY`, for messages.
    var places: [String: String] = [:]

    /// The default time of a fixture: 2026-01-01T00:00:00Z.
    package static let defaultNow: Int64 = 1_767_225_600_000_000

    /// Reads a fixture from disk.
    ///
    /// - Throws: `PlugError` `fixture-unreadable` or `fixture-invalid`, exit 78, with the place in the file.
    package static func load(_ path: String) throws(PlugError) -> Cassette {
        var cassette = try read(path: path, bytes: try SmallFile.read(path))
        if !cassette.archiveNames.isEmpty {
            cassette.archives = try FixtureArchives(cassette.archiveNames, of: path)
        }
        return cassette
    }

    /// Reads a fixture from its bytes.
    ///
    /// - Parameter path: The name for messages.
    /// - Throws: `PlugError` `fixture-invalid`, exit 78, with the place in the file.
    package static func read(path: String, bytes: [UInt8]) throws(PlugError) -> Cassette {
        try CassetteReader(path: path, bytes: bytes).cassette()
    }
}
