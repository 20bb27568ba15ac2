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

    private var streams: [SingerStream] = []
    private var places: [String: Int] = [:]
    /// The stream of the last record: usually that of the next one.
    private var current = 0
    private let wanted: Set<String>
    /// The streams in the manifest, which are not reported as unknown.
    private let named: Set<String>
    private let keyless: Set<String>
    /// SCHEMA keys known from before this run.
    private let known: [String: [String]]
    private let hiding: @Sendable (String) -> String
    private(set) var line = 0
    private var (gatheredRecords, gatheredBytes) = (0, 0)

    /// Whether the run began with a state, or has received one: then whatever was read can be read again.
    private var hasState: Bool
    /// The newest STATE that follows records; it has not been given yet.
    private var ready: [UInt8]?
    /// The newest STATE that follows another one without a record in between. It may cover records that are still to come, so it
    /// waits for the next one, or for the end.
    private var held: [UInt8]?
    private var hasRecordsSinceState = false
    /// Whether any STATE has been given in this run.
    private var hasGivenState = false
    /// The newest STATE.
    private var latest: [UInt8]?
    /// The line of a record older than what the preceding STATE says is done; states then wait for the end.
    private var earlyLine: Int?

    /// Messages of unknown types, counted by type.
    package private(set) var unknown: [String: Int] = [:]
    /// ACTIVATE_VERSION messages, which change nothing: a plug deletes nothing.
    package private(set) var activations = 0
    /// Warnings, each once.
    package private(set) var warnings: [PlugError] = []

    /// - Parameters:
    ///   - wanted: The program's names of the streams that are delivered.
    ///   - named: The streams in the manifest, which may be more.
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
            if earlyLine != nil, hasGivenState {
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
        if isWell, let latest, held != nil || earlyLine != nil { events.append(.state(latest)) }
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
        if let state = ready, earlyLine == nil {
            ready = nil
            hasGivenState = true
            events.append(.state(state))
        }
        return events
    }

    // MARK: - Messages

    private mutating func take(_ node: Int, _ document: JSONDocument) -> PlugError? {
        let parts = MessageParts(node, document)
        switch parts.type {
        case .record: return takeRecord(parts, document)
        case .schema: return takeSchema(parts, document)
        case .state: return takeState(parts, document)
        case .activation: activations += 1
        case .batch:
            return PlugError(
                .programBatch,
                "line \(line) of the program's output hands over files (BATCH), which plughost does not read",
                advice: "remove 'batch_config' from the program's configuration"
            )
        case .other(let type):
            if unknown.count < 100 || unknown[type] != nil { unknown[type, default: 0] += 1 }
        case .none: return fault("is a JSON value without a 'type'")
        }
        return nil
    }

    /// - Parameter help: What to do about it.
    private func fault(
        _ what: String,
        _ help: String = "Singer programs write only messages to stdout"
    ) -> PlugError {
        PlugError(
            .programMessage,
            "line \(line) of the program's output \(what)",
            advice: "what came before is not affected; \(help)"
        )
    }

    private mutating func takeRecord(_ parts: MessageParts, _ document: JSONDocument) -> PlugError? {
        guard let name = parts.stream else { return fault("is a RECORD without a 'stream'") }
        guard let record = parts.record else { return fault("is a RECORD whose 'record' is not an object") }
        let isCurrent = current < streams.count && document.withCursor { $0.isEqual(name, streams[current].name) }
        if !isCurrent {
            let text = document.withCursor { $0.text(name) }
            guard let at = places[text] ?? strange(text) else { return unannounced(text) }
            current = at
        }
        // The stream is not copied here: that would cost as much as reading the record.
        guard streams[current].key != nil else { return unannounced(streams[current].text) }
        hasRecordsSinceState = true
        guard streams[current].isWanted else {
            streams[current].unused += 1
            return nil
        }
        if streams[current].takesKey, streams[current].key?.isEmpty == true {
            return PlugError(
                .programKeyMissing,
                "line \(line) of the program's output is a record without a key: neither its SCHEMA nor the manifest names one",
                advice: "write 'key' in the stream, such as 'key: [.id]'",
                stream: streams[current].text
            )
        }
        gatheredRecords += 1
        let size = document.withCursor { $0.slice(record).count }
        gatheredBytes += size
        streams[current].bytes += size
        streams[current].isBehindState = true
        streams[current].records.append(JSONView(document: document, node: record))
        noteBookmarks(record, document)
        return nil
    }

    /// Program output, prepared for a message.
    private func shown(_ text: String, _ length: Int) -> String {
        DisplayText.escaped(String(hiding(text).prefix(length)))
    }

    private func unannounced(_ stream: String) -> PlugError {
        PlugError(
            .programUnannounced,
            "line \(line) of the program's output is a record of the stream '\(shown(stream, 100))' "
                + "before its SCHEMA",
            advice: "tell the program's author; what came before is not affected",
            stream: stream
        )
    }

    /// The position of an unannounced stream that is not read: its records are counted. `nil` for one that is read.
    private mutating func strange(_ stream: String) -> Int? {
        guard !wanted.contains(stream), !named.contains(stream), streams.count < Self.streamLimit,
            stream.utf8.count <= Self.nameLimit
        else { return nil }
        let at = streams.count
        streams.append(SingerStream(stream, isWanted: false, takesKey: false))
        streams[at].key = []
        places[stream] = at
        return at
    }

    /// Records a record's bookmark, and whether it is older than what is said to be done.
    private mutating func noteBookmarks(_ record: Int, _ document: JSONDocument) {
        if let bookmark = streams[current].bookmark, let value = Self.member(bookmark, of: record, document) {
            if let known = streams[current].watermark {
                if known < value, known.typeName == value.typeName { streams[current].watermark = value }
            } else if value.stringText != nil || value.number != nil {
                streams[current].watermark = value
            }
        }
        guard earlyLine == nil else { return }
        for done in streams[current].done {
            guard let value = Self.member(done.member, of: record, document),
                StateBookmarks.isBefore(value, done.value)
            else { continue }
            earlyLine = line
            warnings.append(
                PlugError(
                    .programStateEarly,
                    "line \(line) of the program's output is a record that is older than a STATE before it: states of this run are "
                        + "kept only if it ends successfully",
                    stream: streams[current].text
                )
            )
        }
    }

    private static func member(_ name: [UInt8], of record: Int, _ document: JSONDocument) -> JSONValue? {
        name.withUnsafeBufferPointer { name in
            document.withCursor { cursor -> JSONValue? in
                guard let node = cursor.member(record, name) else { return nil }
                switch cursor.kind(node) {
                case .string: return .text(cursor.text(node))
                case .number: return .number(cursor.number(node))
                default: return nil
                }
            }
        }
    }

    private mutating func takeSchema(_ parts: MessageParts, _ document: JSONDocument) -> PlugError? {
        guard let name = parts.stream.map({ node in document.withCursor { $0.text(node) } }) else {
            return fault("is a SCHEMA without a 'stream'")
        }
        guard name.utf8.count <= Self.nameLimit else {
            return fault("names a stream with more than \(Self.nameLimit) bytes")
        }
        guard var key = parts.names(of: parts.keyProperties, document),
            key.allSatisfy({ $0.utf8.count <= Self.nameLimit })
        else {
            return fault("is a SCHEMA whose 'key_properties' are not a list of names")
        }
        guard key.count <= Self.keyLimit else {
            return fault("is a SCHEMA with more than \(Self.keyLimit) 'key_properties'")
        }
        let bookmarks = parts.names(of: parts.bookmarkProperties, document) ?? []
        let at: Int
        if let known = places[name] {
            at = known
        } else {
            guard streams.count < Self.streamLimit else {
                return fault("announces more than \(Self.streamLimit) streams", "this limit is fixed")
            }
            at = streams.count
            places[name] = at
            streams.append(SingerStream(name, isWanted: wanted.contains(name), takesKey: keyless.contains(name)))
        }
        if streams[at].takesKey, streams[at].isWanted, let before = streams[at].key ?? known[name],
            !before.isEmpty || streams[at].key != nil
        {
            guard Set(before) == Set(key) else { return changedKey(of: name, from: before, to: key) }
            // Their order is irrelevant: a program may keep them in a set.
            key = before
        }
        streams[at].key = key
        streams[at].bookmark = bookmarks.first.map { Array($0.utf8) }
        return nil
    }

    private func changedKey(of stream: String, from before: [String], to key: [String]) -> PlugError {
        func list(_ key: [String]) -> String {
            key.isEmpty ? "none" : "'\(shown(key.joined(separator: ", "), 200))'"
        }
        return PlugError(
            .programSchemaChanged,
            "line \(line) of the program's output announces other key properties than before: \(list(key)) instead of \(list(before))",
            advice:
                "write 'key' in the stream: the members that identify a record; what came before is not affected",
            stream: stream
        )
    }

    private mutating func takeState(_ parts: MessageParts, _ document: JSONDocument) -> PlugError? {
        guard let node = parts.value else { return fault("is a STATE without a 'value'") }
        let bytes = document.withCursor { Array($0.slice(node)) }
        guard bytes.count <= Self.stateLimit else {
            return fault(
                "is a STATE of more than \(Self.stateLimit >> 20) MiB",
                "read fewer streams or partitions with one plug: this limit is fixed"
            )
        }
        let value = JSONView(document: document, node: node).value
        if value.isNull { return nil }
        if hasRecordsSinceState { (ready, held) = (bytes, nil) } else { held = bytes }
        (hasRecordsSinceState, hasState, latest) = (false, true, bytes)
        let bookmarks = StateBookmarks(value)
        for at in streams.indices {
            streams[at].isBehindState = false
            streams[at].done = bookmarks.streams[streams[at].text] ?? []
        }
        return nil
    }
}
