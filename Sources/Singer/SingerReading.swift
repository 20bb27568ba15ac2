internal import LosslessJSON
package import PlugCore

/// Turns a program's messages into pages and states, without any I/O.
///
/// Records of all streams are gathered until there are enough for a page of each. A STATE covers everything before it, so the
/// newest one follows the pages: it never precedes one of them, and only one of many is given.
package struct SingerReading {
    /// How many records are gathered at most, and how many bytes.
    static let pageRecords = 4_000
    static let pageBytes = 4 << 20
    /// How many streams one program may announce, and the longest STATE.
    static let streamLimit = 10_000
    /// The longest name of a stream, and of a key property, in bytes: both are kept.
    static let nameLimit = 1_000
    static let keyLimit = 64
    static let stateLimit = 4 << 20

    var streams: [SingerStream] = []
    var places: [String: Int] = [:]
    /// The stream of the last record: usually that of the next one.
    var current = 0
    let wanted: Set<String>
    /// The streams that the manifest names or ignores: only records of others are left behind.
    let named: Set<String>
    let keyless: Set<String>
    /// SCHEMA keys known from before this run.
    let known: [String: [String]]
    let hiding: @Sendable (String) -> String
    var line = 0
    var (gatheredRecords, gatheredBytes) = (0, 0)

    /// Whether the run began with a state, or has received one: then whatever was read can be read again.
    var hasState: Bool
    /// The newest STATE that follows records; it has not been given yet.
    var ready: [UInt8]?
    /// The newest STATE that follows another one without a record in between. It may cover records that are still to come, so it
    /// waits for the next one, or for the end.
    var held: [UInt8]?
    var hasRecordsSinceState = false
    /// Whether any STATE has been given in this run.
    var hasGivenState = false
    /// The newest STATE.
    var latest: [UInt8]?
    /// The line of a record older than what the preceding STATE says is done; states then wait for the end.
    var earlyLine: Int?
    /// Whether a record was of a stream that nobody names: no state of this run may cover it.
    var leavesBehind = false

    /// Messages of unknown types, counted by type.
    package internal(set) var unknown: [String: Int] = [:]
    /// ACTIVATE_VERSION messages, which change nothing: a plug deletes nothing.
    package internal(set) var activations = 0
    /// Warnings, each once.
    package internal(set) var warnings: [PlugError] = []

    /// - Parameters:
    ///   - wanted: The program's names of the streams that are delivered.
    ///   - named: The streams that the manifest names or ignores, which may be more.
    ///   - keyless: The streams for which the manifest names no key.
    ///   - known: The earlier key properties of streams, by name: the same records keep their identities.
    ///   - hasState: Whether the program was given a state.
    ///   - hiding: Hides secrets in the program's output, before it is truncated for a message.
    package init(
        wanted: Set<String>,
        named: Set<String> = [],
        keyless: Set<String>,
        known: [String: [String]] = [:],
        hasState: Bool,
        hiding: @escaping @Sendable (String) -> String = { $0 }
    ) {
        self.hiding = hiding
        (self.wanted, self.named, self.keyless, self.hasState) = (wanted, named, keyless, hasState)
        self.known = known
    }

    /// The wanted streams with the key properties that identify their records, as stored in a state.
    package var keys: [String: [String]] {
        var keys: [String: [String]] = [:]
        for name in wanted {
            let announced = places[name].flatMap { streams[$0].takesKey ? streams[$0].key : [] }
            keys[name] = announced ?? known[name] ?? []
        }
        return keys
    }

    /// The announced streams.
    package var announced: Set<String> { Set(streams.filter { $0.key != nil }.map(\.text)) }

    /// Whether records or a STATE wait for a page.
    package var isHolding: Bool { gatheredRecords > 0 || ready != nil }

    /// Accepts some messages.
    ///
    /// - Returns: The resulting events, and what is wrong with the next message; nothing more may be accepted then.
    package mutating func take(_ batch: LineBatch) -> (events: [SingerEvent], fault: PlugError?) {
        var events: [SingerEvent] = []
        for (index, node) in batch.nodes.enumerated() {
            line = batch.lines[index]
            let fault = take(node, batch.document)
            if earlyLine != nil || leavesBehind, hasGivenState {
                // Withdraws a state that was given too early.
                hasGivenState = false
                events.append(.state(nil))
            }
            if let fault { return (events + flush(), fault) }
            if gatheredRecords >= Self.pageRecords || gatheredBytes >= Self.pageBytes { events += flush() }
        }
        return batch.fault.map { (events + flush(), $0) } ?? (events, nil)
    }

    /// The pages of the gathered records, followed by the newest STATE.
    package mutating func flush() -> [SingerEvent] { flush(isEnd: false) }

    /// The same at the end of the program.
    ///
    /// - Parameter isWell: Whether it ended on its own and without an error.
    package mutating func finish(isWell: Bool) -> [SingerEvent] {
        var events = flush(isEnd: true)
        // Nothing more is to come.
        if isWell, !leavesBehind, let latest, held != nil || earlyLine != nil { events.append(.state(latest)) }
        let unknownOutput = UnknownOutput(
            streams: streams.filter { $0.unused > 0 && !named.contains($0.text) }.map { ($0.text, $0.unused) },
            types: unknown.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
            hiding: hiding
        )
        warnings += unknownOutput.warnings
        return events
    }

    private mutating func flush(isEnd: Bool) -> [SingerEvent] {
        var events: [SingerEvent] = []
        for at in streams.indices where !streams[at].records.isEmpty {
            let stream = streams[at]
            let page = SingerPage(
                stream: stream.text,
                records: stream.records,
                key: stream.key ?? [],
                watermark: stream.watermark,
                isOneShot: !hasState || (isEnd && stream.isBehindState),
                bytes: stream.bytes,
                line: line
            )
            events.append(.page(page))
            streams[at].records = []
            streams[at].bytes = 0
        }
        (gatheredRecords, gatheredBytes) = (0, 0)
        if let state = ready, earlyLine == nil, !leavesBehind {
            ready = nil
            hasGivenState = true
            events.append(.state(state))
        }
        return events
    }
}
