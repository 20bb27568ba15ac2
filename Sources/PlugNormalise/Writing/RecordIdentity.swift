internal import JQ
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// Builds `_id`: `<namespace>/<endpoint>/<key,…>@<version>`, without `@` if there is no version. A deletion is
/// `<…>/<key,…>@<version>@deleted`, whose version may be empty.
///
/// Two different records must never have the same text, so a `,` inside a part is written `%2C` if a key has several parts, an
/// `@` `%40` if the endpoint has versions or deletions (in a version too, if it has deletions), and in each case a `%` is `%25`.
/// A key of one part, in an endpoint without versions and deletions, is written as it is.
///
/// With `equal: count` the second of several equal keys of an answer has an extra part, `,2`, and a `,` is escaped in every part.
final class RecordIdentity: Sendable {
    private let prefix: [UInt8]
    // Neither optional nor elements of an array: those are retained and released for each record.
    private let firstKey: ScalarProgram
    private let version: ScalarProgram
    private let otherKeys: ArraySlice<ScalarProgram>
    private let countsEqual: Bool
    private let escapes: Set<UInt8>
    private let versionEscapes: Set<UInt8>
    /// U+FFFD in UTF-8.
    static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    convenience init?(_ stream: Stream, path: DataPath) {
        guard stream.options.hasIdentity else { return nil }
        self.init(stream, prefix: "\(path)/", version: stream.version)
    }

    /// Names what the records of a stream without `_id`s are about; `nil` if nothing identifies it.
    convenience init?(thingsOf stream: Stream) {
        guard !stream.options.hasIdentity, !stream.key.isEmpty else { return nil }
        self.init(stream, prefix: "", version: nil)
    }

    private init(_ stream: Stream, prefix: String, version: JQProgram?) {
        self.prefix = Array(prefix.utf8)
        let keys = stream.key.map { ScalarProgram($0, .key) }
        (firstKey, otherKeys) = (keys.first ?? .none, keys.dropFirst())
        self.version = version.map { ScalarProgram($0, .version) } ?? .none
        var escapes: Set<UInt8> = []
        countsEqual = stream.options.countsEqual
        if keys.count > 1 || countsEqual { escapes.insert(UInt8(ascii: ",")) }
        if stream.identityMarks > .none { escapes.insert(UInt8(ascii: "@")) }
        if !escapes.isEmpty { escapes.insert(UInt8(ascii: "%")) }
        self.escapes = escapes
        versionEscapes = stream.identityMarks == .deletions ? [UInt8(ascii: "@"), UInt8(ascii: "%")] : []
    }

    /// Appends the decoded text of a record's `_id`.
    ///
    /// - Parameter equal: The records of the same answer so far.
    /// - Returns: Whether the record has the member that `version` names, even if it is `null`.
    func append(
        of record: RawRecord,
        to text: inout [UInt8],
        among equal: inout EqualRecords
    ) throws(RecordFailure) -> Bool {
        let start = text.count
        let hasVersion = try appendParts(of: record, to: &text, among: &equal)
        // No PDA stores a NUL, and the `_id` in its echo is compared with this text. Four digits distinguish it from a U+FFFD of
        // the source's own.
        guard text[start...].contains(0) else { return hasVersion }
        let digits = Array("0000".utf8)
        text.replaceSubrange(start..., with: text[start...].flatMap { $0 == 0 ? Self.replacement + digits : [$0] })
        return hasVersion
    }

    /// Appends the decoded text of the `_id` of a deletion: `<…>/<key,…>@<version>@deleted`.
    ///
    /// - Returns: The deletion, and whether the record has the member that `version` names.
    func append(
        deletionOf record: RawRecord,
        to text: inout [UInt8],
        among equal: inout EqualRecords
    ) throws(RecordFailure) -> (deletion: DeletionRecord, hasVersion: Bool) {
        let start = text.count
        let hasVersion = try append(of: record, to: &text, among: &equal)
        let deletion = DeletionRecord(of: Array(text[start...]))
        text.replaceSubrange(start..., with: deletion.identity)
        return (deletion, hasVersion)
    }

    private func appendParts(
        of record: RawRecord,
        to text: inout [UInt8],
        among equal: inout EqualRecords
    ) throws(RecordFailure) -> Bool {
        let beginning = text.count
        prefix.withUnsafeBufferPointer { text.append(contentsOf: $0) }
        var isEmpty = try append(firstKey, of: record, to: &text)
        for key in otherKeys {
            text.append(UInt8(ascii: ","))
            if try !append(key, of: record, to: &text) { isEmpty = false }
        }
        // Otherwise all records without an id would be one.
        if isEmpty { throw RecordFailure(.keyNull, "'key' gives an empty text for this record", key: "key") }
        if countsEqual {
            let number = equal.number(of: text[beginning...])
            if number > 1 { text.append(contentsOf: ",\(number)".utf8) }
        }
        guard !version.isNone else { return false }
        let start = text.count
        text.append(UInt8(ascii: "@"))
        let found = try version.append(of: record, to: &text)
        // A thing that has never changed may have no version yet.
        if found == .written {
            escape(&text, from: start + 1, versionEscapes)
        } else {
            text.removeSubrange(start...)
        }
        return found != .missing
    }

    /// Appends one part of the key.
    ///
    /// - Returns: Whether it is empty.
    private func append(
        _ key: ScalarProgram,
        of record: RawRecord,
        to text: inout [UInt8]
    ) throws(RecordFailure) -> Bool {
        let start = text.count
        guard try key.append(of: record, to: &text) == .written else {
            throw RecordFailure(.keyNull, "'key' gives null for this record", key: "key")
        }
        escape(&text, from: start, escapes)
        return text.count == start
    }

    private func escape(_ text: inout [UInt8], from start: Int, _ escapes: Set<UInt8>) {
        guard !escapes.isEmpty, text[start...].contains(where: escapes.contains) else { return }
        let part = Array(text[start...])
        text.removeSubrange(start...)
        for byte in part {
            guard escapes.contains(byte) else {
                text.append(byte)
                continue
            }
            PercentEncoding.append(byte, to: &text)
        }
    }
}

/// A program whose one output is a text, a number or a boolean.
final class ScalarProgram: Sendable {
    /// What it finds in a record.
    enum Finding {
        /// A value, which was written.
        case written
        /// `null`, or no output.
        case null
        /// No such member: only a plain path can tell this from `null`.
        case missing
    }

    /// Stands where the manifest has no program: it finds nothing.
    static let none = ScalarProgram()

    private let program: JQProgram?
    private let path: JQPath?
    private let kind: RecordProgram
    private let isCovered: Bool

    var isNone: Bool { program == nil }

    private init() { (program, path, kind, isCovered) = (nil, nil, .key, false) }

    init(_ program: JQProgram, _ kind: RecordProgram) {
        self.program = program
        self.kind = kind
        isCovered = program.coverage != nil
        path = JQPath(program).flatMap { $0.iterates ? nil : $0 }
    }

    /// Appends the output's text, if there is one.
    func append(of record: RawRecord, to text: inout [UInt8]) throws(RecordFailure) -> Finding {
        if let path {
            if isCovered, let program { record.cover(program, as: kind) }
            let cursor = record.cursor
            switch path.resolve(cursor, record.node) {
            case .missing: return .missing
            case .node(let node):
                switch cursor.kind(node) {
                case .null: return .null
                case .string:
                    let start = text.count
                    let replaced = cursor.appendText(node, to: &text)
                    if replaced > 0 || text[start...].contains(0) {
                        // Characters that no PDA can hold are repaired in the record. In the identity they stay as the source
                        // wrote them, marked, or two keys would become one.
                        text.replaceSubrange(start..., with: RecordIdentity.replacement)
                        text.append(contentsOf: cursor.rawString(node))
                    }
                    return .written
                case .number:
                    append(cursor.slice(node), to: &text)
                    return .written
                case .bool:
                    text.append(contentsOf: cursor.slice(node))
                    return .written
                case .array, .object: throw notScalar(cursor.kind(node) == .array ? "array" : "object")
                }
            case .unfit: break
            }
        }
        guard let program else { return .missing }
        let outputs = try record.run(program, as: kind)
        guard outputs.count < 2 else {
            let code: PlugError.Code = kind == .version ? .versionNotOne : .keyNotOne
            throw RecordFailure(code, "'\(kind.rawValue)' gives several values", key: kind.rawValue)
        }
        switch outputs.first?.json ?? .null {
        case .null: return .null
        case .string(let string): text.append(contentsOf: string.text.utf8)
        case .number(let number): text.append(contentsOf: number.canonicalText.utf8)
        case .bool(let bool): text.append(contentsOf: (bool ? "true" : "false").utf8)
        case .array: throw notScalar("array")
        case .object: throw notScalar("object")
        }
        return .written
    }

    /// A number in the one form of its value: the PDA treats `1.0` and `1` as the same.
    private func append(_ number: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]) {
        // Integers, as most keys are, are written as they are.
        let isPlain = number.count <= JSONNumber.plainDigits && number.allSatisfy { $0 &- 0x30 < 10 }
        guard !isPlain else { return text.append(contentsOf: number) }
        let written = String(decoding: number, as: UTF8.self)
        text.append(contentsOf: (JSONNumber(written)?.canonicalText ?? written).utf8)
    }

    private func notScalar(_ type: String) -> RecordFailure {
        RecordFailure(
            kind == .version ? .versionNotScalar : .keyNotScalar,
            "'\(kind.rawValue)' gives an \(type) instead of a text or a number",
            key: kind.rawValue
        )
    }
}
