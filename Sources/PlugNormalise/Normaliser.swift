internal import JQ
public import LosslessJSON
public import PlugCore
public import PlugManifest

/// Page → records: drop, map, cast, identify, and write canonical bytes. Pure: the same page gives the same block.
public struct Normaliser: Sendable {
    private let stream: Stream
    private let path: DataPath
    private let config: JSONValue
    private let usesParent: Bool

    /// A normaliser of one stream, `nil` for a stream that is read for its children only.
    ///
    /// - Parameter config: The person's answers without secrets.
    public init?(_ stream: Stream, config: JSONValue) {
        guard let path = stream.path else { return nil }
        self.stream = stream
        self.path = path
        self.config = config
        let programs = stream.key + [stream.version, stream.map, stream.dropIf].compactMap(\.self)
        usesParent = programs.contains { program in
            program.usedGlobals.contains("parent") || stream.parent?.name.map(program.usedGlobals.contains) == true
        }
    }

    /// Normalises a page's records, in order.
    ///
    /// - Throws: `PlugError` with the code `records-do-not-fit` where more than half of the page fails: then the manifest
    ///   is wrong and not the records; `interrupted` where the task is cancelled.
    public func normalise(_ page: FetchedPage) throws(PlugError) -> NormalisedPage {
        var result = NormalisedPage()
        var firstFailure: RecordFailure?
        let globals = JQGlobals(
            stream.recordGlobals.values(parent: usesParent ? page.parent?.value : nil, config: config)
        )
        let identity = RecordIdentity(stream, path: path)
        let recordWriter = RecordWriter(stream)
        var writer = CanonicalJSON(capacity: 64 << 10)
        var text: [UInt8] = []
        let owned = RawRecord.Owned()
        result.block.entries.reserveCapacity(page.records.count)
        for view in page.records {
            if Task.isCancelled { throw .interrupted }
            let (start, repaired) = (writer.bytes.count, writer.repaired)
            text.removeAll(keepingCapacity: true)
            view.document.withCursor { cursor in
                let record = RawRecord(cursor: cursor, view: view, globals: globals, owned: owned)
                do throws(RecordFailure) {
                    try identity?.append(of: record, to: &text)
                    let isDropped = try isDropped(record)
                    guard !isDropped, try recordWriter.write(record, identity: text, to: &writer) else {
                        result.dropped += 1
                        return
                    }
                    let identityStart = result.block.identities.count
                    result.block.identities.append(contentsOf: text)
                    result.block.entries.append(
                        RecordBlock.Entry(
                            range: start..<writer.bytes.count,
                            identity: identityStart..<result.block.identities.count
                        )
                    )
                } catch {
                    writer.bytes.removeSubrange(start...)
                    writer.repaired = repaired
                    firstFailure = firstFailure ?? error
                    result.deadLetters.append(Self.letter(error, view, text))
                }
            }
        }
        // A program that was cut short has failed, and is no record's fault.
        if Task.isCancelled { throw .interrupted }
        result.repaired = writer.repaired
        result.block.bytes = writer.bytes
        if let firstFailure, result.deadLetters.count * 2 > page.records.count {
            throw wrongManifest(firstFailure, result.deadLetters.count, of: page)
        }
        return result
    }

    private func isDropped(_ record: RawRecord) throws(RecordFailure) -> Bool {
        guard let dropIf = stream.dropIf else { return false }
        return try record.run(dropIf, as: "drop_if").contains(where: \.isTruthy)
    }

    private static func letter(_ failure: RecordFailure, _ view: JSONView, _ identity: [UInt8]) -> DeadLetter {
        DeadLetter(
            stage: .normalise,
            code: failure.code,
            reason: failure.reason,
            record: view.slice,
            identity: String(decoding: identity, as: UTF8.self)
        )
    }

    private func wrongManifest(_ failure: RecordFailure, _ failed: Int, of page: FetchedPage) -> PlugError {
        PlugError(
            "records-do-not-fit",
            exit: .data,
            "\(failed) of \(page.records.count) records from \(page.origin) do not fit the manifest: "
                + failure.reason,
            advice: "correct the stream in the manifest and run again; nothing of this page was delivered",
            stream: stream.name
        )
    }
}
