internal import PlugCore
internal import PlugStorage

/// Fingerprints in ascending order in an unnamed file: found with one short read, however many there are. A filter at the
/// beginning avoids most reads for absent ones.
final class SortedFingerprints: Sendable {
    /// The number of entries read at a time, 2 KiB.
    private static let blockSize = 128

    let count: Int
    private let file: LedgerFile
    /// The first `high` of each block.
    private let fences: [UInt64]
    private let filter: FingerprintFilter
    /// The offset of the entries in the file.
    private let start: Int

    /// Writes sorted entries to a file.
    ///
    /// - Throws: `PlugError` `store-failed` (75) if the disk does not accept them.
    init(_ entries: UnsafeBufferPointer<RecordFingerprint>, in folder: String) throws(PlugError) {
        var output = Output(file: try LedgerFile(in: folder), count: entries.count)
        for entry in entries { try output.append(entry) }
        filter = try output.finish()
        (file, start, fences, count) = (output.file, output.start, output.fences, output.count)
    }

    /// Merges the entries of two files into one; of equal entries one is kept, with the marks of both.
    ///
    /// - Throws: `PlugError` `store-failed` (75) if the disk does not accept them.
    init(merging left: SortedFingerprints, _ right: SortedFingerprints, in folder: String) throws(PlugError) {
        var output = Output(file: try LedgerFile(in: folder), count: left.count + right.count)
        var inputs = (Input(run: left), Input(run: right))
        while true {
            let (one, other) = (try inputs.0.first(), try inputs.1.first())
            guard let one else {
                guard let other else { break }
                try output.append(other)
                inputs.1.dropFirst()
                continue
            }
            guard let other else {
                try output.append(one)
                inputs.0.dropFirst()
                continue
            }
            if one.high == other.high, one.low | 1 == other.low | 1 {
                try output.append(RecordFingerprint(high: one.high, low: one.low | other.low))
                inputs.0.dropFirst()
                inputs.1.dropFirst()
            } else if RecordFingerprint.isAscending(one, other) {
                try output.append(one)
                inputs.0.dropFirst()
            } else {
                try output.append(other)
                inputs.1.dropFirst()
            }
        }
        filter = try output.finish()
        (file, start, fences, count) = (output.file, output.start, output.fences, output.count)
    }

    /// Visits the entries with the same `high`.
    ///
    /// - Throws: `PlugError` `store-failed` (75) if the file cannot be read.
    func forEach(high: UInt64, _ body: (RecordFingerprint) -> Void) throws(PlugError) {
        guard filter.mayHold(high) else { return }
        // The last block that begins before it: equal entries may start at the end of that one.
        var (low, end) = (0, fences.count)
        while low < end {
            let middle = (low + end) / 2
            if fences[middle] < high { low = middle + 1 } else { end = middle }
        }
        var block = max(0, low - 1)
        while block < fences.count, fences[block] <= high {
            var isOver = false
            try read(block) { entries in
                for entry in entries where entry.high >= high {
                    if entry.high > high {
                        isOver = true
                        return
                    }
                    body(entry)
                }
            }
            if isOver { return }
            block += 1
        }
    }

    private func read(_ block: Int, _ body: (UnsafeBufferPointer<RecordFingerprint>) -> Void) throws(PlugError) {
        let first = block * Self.blockSize
        let length = min(Self.blockSize, count - first)
        var failure: PlugError?
        withUnsafeTemporaryAllocation(of: RecordFingerprint.self, capacity: Self.blockSize) { buffer in
            do throws(PlugError) {
                let raw = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: length * Self.stride)
                try file.read(into: raw, at: start + first * Self.stride)
                body(UnsafeBufferPointer(rebasing: buffer[..<length]))
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private static let stride = MemoryLayout<RecordFingerprint>.stride

    // MARK: - Merging

    /// The entries of a file in order, read a piece at a time.
    private struct Input {
        private static let pieceSize = 1024
        private let run: SortedFingerprints
        private var taken = 0
        private var buffer: [RecordFingerprint] = []
        private var at = 0

        init(run: SortedFingerprints) { self.run = run }

        mutating func first() throws(PlugError) -> RecordFingerprint? {
            if at < buffer.count { return buffer[at] }
            guard taken < run.count else { return nil }
            let length = min(Self.pieceSize, run.count - taken)
            if buffer.count != length {
                buffer = Array(repeating: RecordFingerprint(high: 0, low: 0), count: length)
            }
            try run.file.read(into: &buffer, at: run.start + taken * SortedFingerprints.stride)
            taken += length
            at = 0
            return buffer[0]
        }

        mutating func dropFirst() { at += 1 }
    }

    private struct Output {
        private static let pieceSize = 1024
        let file: LedgerFile
        /// The offset of the entries: after the filter.
        let start: Int
        private(set) var fences: [UInt64] = []
        private(set) var count = 0
        private var filter: FingerprintFilter.Writer
        private var buffer: [RecordFingerprint] = []
        private var written = 0

        /// - Parameter count: The maximum number of entries it will have.
        init(file: LedgerFile, count: Int) {
            self.file = file
            filter = FingerprintFilter.Writer(file, for: count)
            start = filter.byteCount
        }

        mutating func append(_ entry: RecordFingerprint) throws(PlugError) {
            if count % SortedFingerprints.blockSize == 0 { fences.append(entry.high) }
            try filter.append(entry.high)
            buffer.append(entry)
            count += 1
            if buffer.count == Self.pieceSize { try flush() }
        }

        /// Writes the remainder.
        mutating func finish() throws(PlugError) -> FingerprintFilter {
            try flush()
            return try filter.finish()
        }

        private mutating func flush() throws(PlugError) {
            try file.write(buffer, at: start + written * SortedFingerprints.stride)
            written += buffer.count
            buffer.removeAll(keepingCapacity: true)
        }
    }
}
