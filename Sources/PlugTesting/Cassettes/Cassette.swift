public import HTTPTransport
public import LosslessJSON
public import PlugCore

/// A stored conversation with a source: `fixtures/NAME.json`. `Plugs/README.md` has the format.
public struct Cassette: Sendable {
    /// One request and its answer.
    public struct Exchange: Sendable {
        /// `GET` or `POST`.
        public var method: String
        /// What must be asked; the order of the query's parameters does not matter.
        public var url: HTTPURL
        /// The JSON body that must be sent, `nil` for none.
        public var requestBody: JSONValue?
        /// Query parameters that must be there, with any value.
        public var ignoredQuery: [String]
        /// The answer's status.
        public var status: Int
        /// The answer's headers.
        public var headers: [HTTPHeader]
        /// The answer's body, byte by byte.
        public var body: [UInt8]
        /// The line in the file at which the exchange begins, from 1.
        public var line: Int
    }

    /// The file, as it was named.
    public var path: String
    /// The configuration, without the manifest's defaults.
    public var config: JSONObject
    /// The stream to read, `nil` for all that are delivered.
    public var stream: String?
    /// What the clock shows when the replay begins, in microseconds since 1970.
    public var now: Int64
    /// The conversation, in order.
    public var exchanges: [Exchange]
    /// `LINE:COLUMN` of `stream` and of each `config.KEY`, for messages.
    var places: [String: String] = [:]

    /// The time of a fixture that does not say: 2026-01-01T00:00:00Z.
    public static let defaultNow: Int64 = 1_767_225_600_000_000

    /// Reads a fixture from disk.
    ///
    /// - Throws: `PlugError` `fixture-unreadable` or `fixture-invalid`, exit 78, with the place in the file.
    public static func load(_ path: String) throws(PlugError) -> Cassette {
        try read(path: path, bytes: try SmallFile.read(path))
    }

    /// Reads a fixture from its bytes.
    ///
    /// - Parameter path: The name for messages.
    /// - Throws: `PlugError` `fixture-invalid`, exit 78, with the place in the file.
    public static func read(path: String, bytes: [UInt8]) throws(PlugError) -> Cassette {
        try CassetteReader(path: path, bytes: bytes).cassette()
    }
}
