import LosslessJSON
import PlugCore
import PlugManifest

/// `NAME.golden.jsonl` beside `NAME.json`: the records that a fixture must produce, and where its streams must then continue, one
/// per line, in canonical form.
struct Golden {
    static let suffix = ".golden.jsonl"
    let path: String
    private let manifest: Manifest

    /// - Parameters:
    ///   - fixture: The path of the fixture, which ends with `.json`.
    ///   - manifest: Says what is hidden in records.
    init(fixture: String, of manifest: Manifest) {
        path = fixture.dropLast(".json".count) + Self.suffix
        self.manifest = manifest
    }

    /// Writes the result of a replay, unless the file already holds it.
    ///
    /// - Returns: Whether the file was written.
    /// - Throws: `PlugError` `golden-unwritable`, or `fixture-unreadable` if the file cannot be read.
    func write(_ replayed: Replayed) throws(PlugError) -> Bool {
        let bytes = Self.bytes(replayed)
        if try SmallFile.readIfPresent(path) == bytes { return false }
        try SmallFile.write(bytes, to: path)
        return true
    }

    /// Compares the result of a replay with the file, byte by byte.
    ///
    /// - Throws: `PlugError` `golden-missing`, `golden-invalid` or `golden-differs`, with the first record, or the first cursor,
    ///   that differs.
    func check(_ replayed: Replayed) throws(PlugError) {
        let records = replayed.records
        guard let bytes = try SmallFile.readIfPresent(path) else {
            throw PlugError(
                .goldenMissing,
                "there is no \(path) to compare \(records.count.counted("record")) with",
                advice: "--update writes it; check it before you keep it"
            )
        }
        guard bytes != Self.bytes(replayed) else { return }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        // What follows the last line break is not a line.
        let all = lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
        // Cursors come after the records.
        let expected = all.prefix { !$0.starts(with: Self.cursorStart) }
        for (index, record) in records.enumerated() {
            guard index < expected.count else {
                throw differs(
                    "\(expected.count.counted("record")) expected, got \(records.count); the first unexpected record is "
                        + title(record.line)
                )
            }
            if Array(expected[index]) != record.line {
                throw try difference(Array(expected[index]), record, line: index + 1, expected.count, records.count)
            }
        }
        if expected.count > records.count {
            throw differs(
                "\(expected.count.counted("record")) expected, got \(records.count); the first missing record is "
                    + title(Array(expected[records.count])),
                line: records.count + 1
            )
        }
        try checkCursors(all.dropFirst(expected.count).map { Array($0) }, replayed.cursors, after: expected.count)
        throw differs("the last line must end with one line break")
    }

    private static let cursorStart = Array(#"{"cursor":"#.utf8)

    /// - Parameters:
    ///   - lines: The lines after the records.
    ///   - count: How many records there are.
    private func checkCursors(_ lines: [[UInt8]], _ cursors: [ReplayedCursor], after count: Int) throws(PlugError) {
        for (index, cursor) in cursors.enumerated() {
            let name = "'\(DisplayText.escaped(cursor.stream))'"
            guard index < lines.count else {
                throw differs("no line says where \(name) continues: \(Self.shown(cursor.line))", of: "cursor")
            }
            if lines[index] == cursor.line { continue }
            let line = count + index + 1
            guard let expected = try? JSONValue(parsing: lines[index]) else { throw invalid(line, "") }
            guard expected["stream"]?.stringText == cursor.stream else {
                throw differs(
                    "expected \(Self.shown(lines[index])), got \(Self.shown(cursor.line))",
                    line: line,
                    of: "cursor"
                )
            }
            let differences = JSONDifference.between(expected["cursor"] ?? .null, cursor.value)
            let text = [name + " would continue elsewhere"] + JSONDifference.lines(differences)
            throw differs(text.joined(separator: "\n"), line: line, of: "cursor")
        }
        guard lines.count > cursors.count else { return }
        let line = count + cursors.count + 1
        throw differs(
            "nothing says any longer where to continue: \(Self.shown(lines[cursors.count]))",
            line: line,
            of: "cursor"
        )
    }

    private static func shown(_ line: [UInt8]) -> String {
        DisplayText.escaped(String(String(decoding: line, as: UTF8.self).prefix(200)))
    }

    private func invalid(_ line: Int, _ reason: String) -> PlugError {
        PlugError(
            .goldenInvalid,
            "\(path):\(line): this is not JSON\(reason.isEmpty ? "" : ": \(reason)")",
            advice: "--update writes the file again"
        )
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
            throw invalid(line, error.reason)
        }
        let hidden = manifest.hidden(at: record.path)
        let differences = JSONDifference.between(left, right).map { $0.hiding(hidden, below: ".data") }
        guard !differences.isEmpty else {
            return differs("record \(line) is right, but not written in canonical form", line: line)
        }
        let counts = expectedCount == count ? "" : " (\(expectedCount.counted("record")) expected, got \(count))"
        let lines = ["record \(line) differs\(counts)"] + JSONDifference.lines(differences)
        return differs(lines.joined(separator: "\n"), line: line)
    }

    private func differs(_ message: String, line: Int? = nil, of what: String = "record") -> PlugError {
        PlugError(
            .goldenDiffers,
            "\(path)\(line.map { ":\($0)" } ?? ""): \(message)",
            advice: "if the new \(what)s are right, --update writes them"
        )
    }

    private static func bytes(_ replayed: Replayed) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in replayed.records.map(\.line) + replayed.cursors.map(\.line) {
            bytes += line
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

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
