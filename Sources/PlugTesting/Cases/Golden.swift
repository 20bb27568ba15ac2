import LosslessJSON
import PlugCore
import PlugManifest

/// `NAME.golden.jsonl` beside `NAME.json`: the records that must come of a fixture, one per line, in canonical form.
struct Golden {
    static let suffix = ".golden.jsonl"
    let path: String
    private let manifest: Manifest

    /// - Parameters:
    ///   - fixture: The path of the fixture, which ends with `.json`.
    ///   - manifest: Says what is not shown of records.
    init(fixture: String, of manifest: Manifest) {
        path = fixture.dropLast(".json".count) + Self.suffix
        self.manifest = manifest
    }

    /// Writes the records, unless they are what the file holds.
    ///
    /// - Returns: Whether the file was written.
    /// - Throws: `PlugError` `golden-unwritable`, or `fixture-unreadable` for what cannot be read.
    func write(_ records: [ReplayedRecord]) throws(PlugError) -> Bool {
        let bytes = Self.bytes(records)
        if try SmallFile.readIfPresent(path) == bytes { return false }
        try SmallFile.write(bytes, to: path)
        return true
    }

    /// Compares the records with the file, byte by byte.
    ///
    /// - Throws: `PlugError` `golden-missing`, `golden-invalid` or `golden-differs`, with the first record that differs.
    func check(_ records: [ReplayedRecord]) throws(PlugError) {
        guard let bytes = try SmallFile.readIfPresent(path) else {
            throw PlugError(
                .goldenMissing,
                "there is no \(path) to compare \(Self.counted(records.count)) with",
                advice: "--update writes it; check it before you keep it"
            )
        }
        guard bytes != Self.bytes(records) else { return }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // What follows the last line break is no line.
        let expected = lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
        for (index, record) in records.enumerated() {
            guard index < expected.count else {
                throw differs(
                    "\(Self.counted(expected.count)) expected, got \(records.count); the first unexpected record is "
                        + title(record.line)
                )
            }
            if Array(expected[index]) != record.line {
                throw try difference(Array(expected[index]), record, line: index + 1, expected.count, records.count)
            }
        }
        if expected.count > records.count {
            throw differs(
                "\(Self.counted(expected.count)) expected, got \(records.count); the first missing record is "
                    + title(Array(expected[records.count])),
                line: records.count + 1
            )
        }
        throw differs("the last line must end with one line break")
    }

    private func difference(
        _ expected: [UInt8],
        _ record: ReplayedRecord,
        line: Int,
        _ expectedCount: Int,
        _ count: Int
    ) throws(PlugError) -> PlugError {
        let (left, right): (JSONValue, JSONValue)
        do throws(JSONError) {
            left = try JSONValue(parsing: expected)
            right = try JSONValue(parsing: record.line)
        } catch {
            throw PlugError(
                .goldenInvalid,
                "\(path):\(line): this is not JSON: \(error.reason)",
                advice: "--update writes the file again"
            )
        }
        let hidden = manifest.hidden(at: record.path)
        let differences = JSONDifference.between(left, right).map { $0.hiding(hidden, below: ".data") }
        guard !differences.isEmpty else {
            return differs("record \(line) is right, but not written in canonical form", line: line)
        }
        let counts = expectedCount == count ? "" : " (\(Self.counted(expectedCount)) expected, got \(count))"
        let lines = ["record \(line) differs\(counts)"] + JSONDifference.lines(differences)
        return differs(lines.joined(separator: "\n"), line: line)
    }

    private func differs(_ message: String, line: Int? = nil) -> PlugError {
        PlugError(
            .goldenDiffers,
            "\(path)\(line.map { ":\($0)" } ?? ""): \(message)",
            advice: "if the new records are right, --update writes them"
        )
    }

    private static func bytes(_ records: [ReplayedRecord]) -> [UInt8] {
        var bytes: [UInt8] = []
        for record in records {
            bytes += record.line
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    private static func counted(_ count: Int) -> String { count == 1 ? "1 record" : "\(count) records" }

    /// A record's `_id`, or its beginning if it has none.
    private func title(_ line: [UInt8]) -> String {
        let value = try? JSONValue(parsing: line)
        let hidden = manifest.hidden(at: value?["endpoint"]?.stringText ?? "")
        if let identity = value?["data"]?["_id"]?.stringText {
            return DisplayText.escaped(hidden.shown(identity: identity))
        }
        let text = hidden.isEmpty ? String(decoding: line, as: UTF8.self) : HiddenMembers.mark
        return DisplayText.escaped(String(text.prefix(120)))
    }
}
