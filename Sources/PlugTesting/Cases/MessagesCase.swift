import LosslessJSON
import PlugCore
import PlugFetch
import PlugManifest
import PlugNormalise
import Singer

/// A fixture of a plug that reads from a program: the program's recorded output, replayed in its place.
struct MessagesCase {
    /// The suffix of such files.
    static let suffix = ".singer.jsonl"

    private let manifest: Manifest
    private let name: String
    private let path: String

    init(_ manifest: Manifest, folder: String, file: String) {
        self.manifest = manifest
        name = "fixtures/\(file)"
        path = "\(folder)/fixtures/\(file)"
    }

    /// Compares the records with the golden file.
    ///
    /// - Parameter findings: Collects what the records of each stream show about the manifest.
    func run(updates: Bool, findings: inout [String: RecordFindings]) throws -> PlugTestReport.Case {
        do {
            let replayed = Replayed(records: try records(of: lines(), endsWell: true, &findings).records)
            let golden = Golden(fixture: path.dropLast(Self.suffix.count) + ".json", of: manifest)
            let count = replayed.records.count.counted("record")
            if updates {
                guard try golden.write(replayed) else { return .init(name, .fixture, .ok, message: count) }
                return .init(name, .fixture, .updated, message: "wrote \(count) to \(golden.path)")
            }
            try golden.check(replayed)
            return .init(name, .fixture, .ok, message: count)
        } catch let error as PlugError {
            if error.code == .interrupted { throw error }
            return PlugTest.failed(name, error)
        }
    }

    /// Cuts the output after each STATE, as if the program had died at that point: the records so far must be what a whole run
    /// delivers first, and the state kept must be that STATE, or an earlier one.
    func conformance() throws -> [PlugTestReport.Case] {
        var ignored: [String: RecordFindings] = [:]
        let title = "\(name): cut at every STATE"
        do {
            let lines = try lines()
            let whole = try records(of: lines, endsWell: true, &ignored)
            let cuts = lines.indices.filter { Self.isState(lines[$0]) }
            guard !cuts.isEmpty else {
                return [
                    .init(
                        title,
                        .conformance,
                        .skipped,
                        message: "it has no STATE: its records are kept as they arrive"
                    )
                ]
            }
            let all = Set(whole.records.map(\.line))
            for cut in cuts {
                let part = try records(of: Array(lines[...cut]), endsWell: false, &ignored)
                guard part.records.allSatisfy({ all.contains($0.line) }) else {
                    throw fault(cut, "it delivers records that the whole output does not have")
                }
                let before = Set(cuts.filter { $0 <= cut }.compactMap { Self.value(of: lines[$0]) })
                guard part.states.allSatisfy({ before.contains($0) }) else {
                    throw fault(cut, "it keeps a state that the output has not reached")
                }
                let rest = try records(of: Array(lines[(cut + 1)...]), after: lines[...cut], &ignored)
                let together = Set((part.records + rest.records).map(\.line))
                guard together == all else {
                    throw fault(cut, "a run that continues there does not have the same records")
                }
            }
            return [.init(title, .conformance, .ok, message: "\(cuts.count) cuts")]
        } catch let error as PlugError {
            if error.code == .interrupted { throw error }
            return [.init(title, .conformance, .failed, code: error.code, message: error.message)]
        }
    }

    private func fault(_ line: Int, _ what: String) -> PlugError {
        PlugError(
            .conformanceFailed,
            "\(path):\(line + 1): cut after this STATE, \(what)",
            advice: "correct the fixture"
        )
    }

    private func lines() throws(PlugError) -> [ArraySlice<UInt8>] {
        try SmallFile.read(path).split(separator: 0x0A, omittingEmptySubsequences: false).dropLast(while: \.isEmpty)
    }

    private static func value(_ line: ArraySlice<UInt8>, _ type: String) -> JSONValue? {
        guard let value = try? JSONValue(parsing: Array(line)), value["type"]?.stringText == type else { return nil }
        return value
    }

    private static func isState(_ line: ArraySlice<UInt8>) -> Bool { value(line, "STATE") != nil }
    private static func value(of line: ArraySlice<UInt8>) -> JSONValue? { value(line, "STATE")?["value"] }

    // MARK: - Reading

    private struct Read {
        var records: [ReplayedRecord] = []
        var states: [JSONValue] = []
    }

    /// The output of a program that continues after some lines: it announces its streams again.
    private func records(
        of lines: [ArraySlice<UInt8>],
        after before: ArraySlice<ArraySlice<UInt8>>,
        _ findings: inout [String: RecordFindings]
    ) throws -> Read {
        let schemas = before.filter { Self.value($0, "SCHEMA") != nil }
        return try records(of: schemas + lines, endsWell: true, &findings)
    }

    private func records(
        of lines: [ArraySlice<UInt8>],
        endsWell: Bool,
        _ findings: inout [String: RecordFindings]
    ) throws -> Read {
        var reading = SingerReading(
            wanted: Set(manifest.streams.compactMap(\.tapStream)),
            keyless: Set(manifest.streams.filter { $0.key.isEmpty && $0.options.hasIdentity }.compactMap(\.tapStream)),
            hasState: false
        )
        var gatherer = LineGatherer(limit: manifest.program?.limits.line ?? 8 << 20)
        for line in lines { (Array(line) + [0x0A]).withUnsafeBytes { gatherer.take($0) } }
        gatherer.finish()
        var (read, replay) = (Read(), Replay(manifest))
        func take(_ events: [SingerEvent]) throws {
            for event in events {
                switch event {
                case .page(let page): read.records += try replay.records(of: page, path, &findings)
                case .state(let bytes): if let bytes { read.states.append(try JSONValue(parsing: bytes)) }
                }
            }
        }
        while let batch = gatherer.batch() {
            let (events, fault) = reading.take(batch)
            try take(events)
            if let fault { throw fault }
        }
        try take(reading.finish(isWell: endsWell))
        return read
    }

    /// Normalises pages as a run does: a repeated record is delivered once.
    private struct Replay {
        private let manifest: Manifest
        private let config: JSONValue
        private var normalisers: [String: Normaliser] = [:]
        private var met: Set<[UInt8]> = []

        init(_ manifest: Manifest) {
            self.manifest = manifest
            config = manifest.withoutSecrets(manifest.withDefaults(JSONObject()))
        }

        mutating func records(
            of page: SingerPage,
            _ origin: String,
            _ findings: inout [String: RecordFindings]
        ) throws -> [ReplayedRecord] {
            var records: [ReplayedRecord] = []
            for stream in manifest.streams where stream.tapStream == page.stream {
                guard let path = stream.path else { continue }
                guard
                    let normaliser = normalisers[stream.name] ?? Normaliser(stream.keyed(by: page.key), config: config)
                else { continue }
                normalisers[stream.name] = normaliser
                let fetched = FetchedPage(records: page.records, states: [:], origin: origin)
                let normalised = try normaliser.normalise(fetched)
                if let letter = normalised.deadLetters.first {
                    throw RecordExcerpt(letter, of: stream).misfit(normalised.deadLetters.count, fetched)
                }
                findings[stream.name, default: RecordFindings()].add(normalised.findings)
                for entry in normalised.block.entries {
                    let record = ReplayedRecord(
                        path: path.description,
                        bytes: Array(normalised.block.bytes[entry.range])
                    )
                    if met.insert(record.line).inserted { records.append(record) }
                }
            }
            return records
        }
    }
}

extension Array where Element == ArraySlice<UInt8> {
    /// Drops the last elements for which this holds.
    fileprivate func dropLast(while isSo: (Element) -> Bool) -> [Element] {
        var elements = self
        while let last = elements.last, isSo(last) { elements.removeLast() }
        return elements
    }
}
