internal import LosslessJSON
internal import PlugCore

// What one message changes, or what is wrong with it.
extension SingerReading {
    mutating func take(_ node: Int, _ document: JSONDocument) -> PlugError? {
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
            leavesBehind = leavesBehind || !named.contains(streams[current].text)
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
