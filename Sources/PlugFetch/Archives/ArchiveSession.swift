import Archives
import Decoding
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization

/// An archive being read, on threads that may wait for a disk: one block of records at a time.
///
/// Its contents are for one thread at a time, and only accessed under its lock.
final class ArchiveSession: Sendable {
    /// The result of the next step.
    enum Step: Sendable {
        /// Records of an entry, how many of it came before, and whether they are its last.
        case block(DecodedBlock, of: ArchiveEntry, before: Int, isLast: Bool)
        /// All of the entry's records are delivered.
        case entryEnd(ArchiveEntry)
        /// An entry cannot be read, or not to its end. The ones after it can.
        case broken(EntryFault, after: Int)
        /// The archive is over.
        case end
        /// The file was changed since it was opened: what it yields now is not from the archive.
        case changed
    }

    /// Why an entry is not read.
    struct EntryFault: Sendable {
        var entry: ArchiveEntry
        var reason: Reason
        enum Reason: Sendable {
            case archive(ArchiveFault)
            case decoding(DecodingFault)
        }
    }

    private struct State {
        let file: ArchiveFile
        let digest: String
        var reader: ArchiveReader?
        var current: Current?
        /// The number after the last entry requested.
        var next = 0
    }

    private struct Current {
        let entry: ArchiveEntry
        let source: EntrySource
        let decoder: BlockDecoder
        /// How many records are still to be skipped.
        var skips: Int
        var count = 0
        /// What follows the block delivered last: only that shows whether it is the last one.
        var ahead: Result<Part, any Error>?
    }

    /// How an entry is decoded.
    struct Reading: Sendable {
        var source: ArchiveSource
        var decoding: AnswerDecoding
        var limits: DecodingLimits
        /// Seconds since 1970.
        var now: Int64
    }

    private let state: Mutex<State>
    private let reading: Reading
    private let cancelled = CancelMark()
    /// The archive's digest, in hexadecimal.
    let digest: String

    /// Opens a file, and determines which archive it is. Waits for the disk.
    private init(_ path: String, _ reading: Reading, isCancelled: @Sendable () -> Bool) throws {
        let file = try ArchiveFile(path)
        digest = Hexadecimal.encoded(try file.digest(isCancelled: isCancelled))
        state = Mutex(State(file: file, digest: digest))
        self.reading = reading
    }

    /// Opens a file, and determines which archive it is.
    ///
    /// - Throws: `ArchiveFault`; `PlugError` `interrupted`.
    static func open(_ path: String, _ reading: Reading) async throws -> ArchiveSession {
        let isCancelled = CancelMark()
        return try await withTaskCancellationHandler {
            try await onAThreadOfItsOwn {
                do {
                    return try ArchiveSession(path, reading) { isCancelled.isSet }
                } catch is CancellationError { throw PlugError.interrupted }
            }
        } onCancel: {
            isCancelled.set()
        }
    }

    /// Continues reading from a place.
    ///
    /// - Throws: `ArchiveFault` if nothing more can be read; `PlugError` `interrupted`.
    func next(from place: ArchivePlace) async throws -> Step {
        try await withTaskCancellationHandler {
            try await onAThreadOfItsOwn {
                try self.state.withLock { state in
                    let step = Result { try self.step(&state, place) }
                    return state.file.hasChanged ? .changed : try step.get()
                }
            }
        } onCancel: {
            cancelled.set()
        }
    }

    /// Whether the file is its own only entry.
    var isSingleFile: Bool { state.withLock { $0.reader?.isSingleFile ?? false } }

    /// Leaves the current entry: the next step continues after it.
    func leaveEntry() { state.withLock { $0.current = nil } }

    private func step(_ state: inout State, _ place: ArchivePlace) throws -> Step {
        if cancelled.isSet { throw PlugError.interrupted }
        if var current = state.current {
            state.current = nil
            let step = try decode(&current)
            switch step {
            case .block: state.current = current
            case .entryEnd, .broken, .end, .changed: break
            }
            return step
        }
        let source = reading.source
        let reader = try state.reader ?? ArchiveReader(state.file) { source.takes($0) }
        state.reader = reader
        while true {
            if cancelled.isSet { throw PlugError.interrupted }
            let entry: ArchiveEntry
            do throws(ArchiveFault) {
                guard let found = try reader.next() else { return .end }
                entry = found
            } catch {
                guard error.concernsEntry else { throw error }
                let broken = ArchiveEntry(name: error.entry ?? "", number: reader.number)
                if broken.number < place.entry { continue }
                return .broken(EntryFault(entry: broken, reason: .archive(error)), after: 0)
            }
            if entry.number < place.entry { continue }
            let bytes = EntrySource(reader)
            state.current = Current(
                entry: entry,
                source: bytes,
                decoder: BlockDecoder(
                    bytes,
                    reading.decoding.format,
                    charset: reading.decoding.charset,
                    now: reading.now,
                    limits: reading.limits,
                    isCancelled: { [cancelled] in cancelled.isSet }
                ),
                skips: entry.number == place.entry ? place.records : 0
            )
            return try step(&state, place)
        }
    }

    /// The next part of an entry.
    private enum Part {
        case block(DecodedBlock, before: Int)
        case end
        case broken(EntryFault)
    }

    /// The entry's next block that was not delivered before.
    private func decode(_ current: inout Current) throws -> Step {
        while true {
            let part = if let ahead = current.ahead.take() { try ahead.get() } else { try part(&current) }
            switch part {
            case .end: return .entryEnd(current.entry)
            case .broken(let fault): return .broken(fault, after: current.count)
            case .block(let block, let before):
                let count = before + block.count + block.broken.count
                do { current.ahead = .success(try self.part(&current)) } catch { current.ahead = .failure(error) }
                // Blocks end where they ended before, unless the limits have changed: then some records come again.
                if count <= current.skips { continue }
                var isLast = false
                if case .success(.end) = current.ahead { isLast = true }
                return .block(block, of: current.entry, before: before, isLast: isLast)
            }
        }
    }

    private func part(_ current: inout Current) throws -> Part {
        let block: DecodedBlock?
        do throws(DecodingFault) { block = try current.decoder.next() } catch {
            if error.kind == .interrupted { throw PlugError.interrupted }
            if error.kind == .noMemory { throw PlugError.memoryShort("an entry of the archive") }
            if let fault = current.source.fault {
                guard fault.concernsEntry else { throw fault }
                return .broken(EntryFault(entry: current.entry, reason: .archive(fault)))
            }
            return .broken(EntryFault(entry: current.entry, reason: .decoding(error)))
        }
        guard let block else { return .end }
        let before = current.count
        current.count += block.count + block.broken.count
        return .block(block, before: before)
    }
}

/// Set by a task that is cancelled, and read by a thread that works for it.
private final class CancelMark: Sendable {
    private let mark = Atomic(false)
    var isSet: Bool { mark.load(ordering: .relaxed) }
    func set() { mark.store(true, ordering: .relaxed) }
}
