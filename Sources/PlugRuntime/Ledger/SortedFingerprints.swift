internal import PlugCore
internal import PlugStore

/// Fingerprints in ascending order in a file without a name: found by one short read, however many there are.
final class SortedFingerprints: Sendable {
    /// Entries that are read at a time, 2 KiB.
    private static let blockSize = 128

    let count: Int
    private let file: ScratchFile
    /// The first `high` of each block.
    private let fences: [UInt64]

    /// Writes sorted entries and whole files into one; of equal entries one stays, with the marks of all.
    ///
    /// - Throws: `PlugError` `store-failed` (75) where the disk does not take them.
    init(merging runs: [SortedFingerprints], _ entries: [RecordFingerprint], in folder: String) throws(PlugError) {
        var output = Output(file: try ScratchFile(in: folder))
        var inputs = runs.map { Input(run: $0) }
        if !entries.isEmpty { inputs.append(Input(buffer: entries)) }
        var held: RecordFingerprint?
        while let next = try Self.least(&inputs) {
            if let last = held {
                if last.high == next.high, last.low | 1 == next.low | 1 {
                    held = RecordFingerprint(high: last.high, low: last.low | next.low)
                    continue
                }
                try output.append(last)
            }
            held = next
        }
        if let held { try output.append(held) }
        try output.flush()
        file = output.file
        fences = output.fences
        count = output.count
    }

    private static func least(_ inputs: inout [Input]) throws(PlugError) -> RecordFingerprint? {
        var best: (index: Int, entry: RecordFingerprint)?
        for index in inputs.indices {
            guard let entry = try inputs[index].first() else { continue }
            if let found = best, !RecordFingerprint.isAscending(entry, found.entry) { continue }
            best = (index, entry)
        }
        guard let best else { return nil }
        inputs[best.index].dropFirst()
        return best.entry
    }

    /// Visits the entries with the same `high`.
    ///
    /// - Throws: `PlugError` `store-failed` (75) where the file cannot be read.
    func forEach(high: UInt64, _ body: (RecordFingerprint) -> Void) throws(PlugError) {
        // The last block that begins before it: equal ones may begin at the end of that one.
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
        let start = block * Self.blockSize
        let length = min(Self.blockSize, count - start)
        var failure: PlugError?
        withUnsafeTemporaryAllocation(of: RecordFingerprint.self, capacity: Self.blockSize) { buffer in
            do throws(PlugError) {
                let raw = UnsafeMutableRawBufferPointer(start: buffer.baseAddress, count: length * Self.stride)
                try file.read(into: raw, at: start * Self.stride)
                body(UnsafeBufferPointer(rebasing: buffer[..<length]))
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private static let stride = MemoryLayout<RecordFingerprint>.stride

    // MARK: - Merging

    /// Entries in their order: of a file, read a piece at a time, or in memory.
    private struct Input {
        private static let pieceSize = 4096
        private var run: SortedFingerprints?
        private var taken = 0
        private var buffer: [RecordFingerprint]
        private var at = 0

        init(run: SortedFingerprints) {
            self.run = run
            buffer = []
        }

        init(buffer: [RecordFingerprint]) { self.buffer = buffer }

        mutating func first() throws(PlugError) -> RecordFingerprint? {
            if at < buffer.count { return buffer[at] }
            guard let run, taken < run.count else { return nil }
            let length = min(Self.pieceSize, run.count - taken)
            buffer = Array(repeating: RecordFingerprint(high: 0, low: 0), count: length)
            try run.file.read(into: &buffer, at: taken * SortedFingerprints.stride)
            taken += length
            at = 0
            return buffer[0]
        }

        mutating func dropFirst() { at += 1 }
    }

    private struct Output {
        private static let pieceSize = 4096
        let file: ScratchFile
        private(set) var fences: [UInt64] = []
        private(set) var count = 0
        private var buffer: [RecordFingerprint] = []
        private var written = 0

        init(file: ScratchFile) { self.file = file }

        mutating func append(_ entry: RecordFingerprint) throws(PlugError) {
            if count % SortedFingerprints.blockSize == 0 { fences.append(entry.high) }
            buffer.append(entry)
            count += 1
            if buffer.count == Self.pieceSize { try flush() }
        }

        mutating func flush() throws(PlugError) {
            try file.write(buffer, at: written * SortedFingerprints.stride)
            written += buffer.count
            buffer.removeAll(keepingCapacity: true)
        }
    }
}
