import LosslessJSON
import PlugCore
import PlugManifest
import PlugNormalise

/// A test's report of a record that does not fit: the place of the manifest's program, the reason, and the record, shortened.
struct RecordExcerpt {
    /// The numbers of characters of a text, and elements of a list, that are shown.
    private static let (longest, most) = (24, 3)
    /// The maximum number of characters in all.
    private static let limit = 400

    private let letter: DeadLetter
    private let stream: PlugManifest.Stream

    /// - Parameter stream: What it hides in its records is not shown.
    init(_ letter: DeadLetter, of stream: PlugManifest.Stream) {
        self.letter = letter.shown(hiding: stream.hidden)
        self.stream = stream
    }

    /// The error of a page whose records would become dead letters.
    ///
    /// - Parameter count: The number of such records.
    func misfit(_ count: Int, _ page: FetchedPage) -> PlugError {
        let subject = count == 1 ? "a record" : "\(count) records"
        let identity = letter.identity.isEmpty ? "" : " (\(DisplayText.escaped(letter.identity)))"
        return PlugError(
            .fixtureMisfit,
            "\(place)\(subject) of \(page.origin) would become a dead letter: [\(letter.code)] \(letter.reason)\(identity)"
                + (text.map { "\nthe record: \($0)" } ?? ""),
            advice: "correct the manifest, or drop such records with 'drop_if'"
        )
    }

    /// The place of the key that the reason begins with; empty if it names none.
    private var place: String {
        let word = letter.reason.split(separator: "'", omittingEmptySubsequences: false).dropFirst().first.map(
            String.init
        )
        guard letter.reason.hasPrefix("'"), let word else { return "" }
        let isKey = ["map", "key", "version", "drop_if", "deletes.field"].contains(word)
        return "\(stream.places[isKey ? word : "fields.\(word)"]): "
    }

    /// The source's record on one line; `nil` if it is not JSON.
    private var text: String? {
        guard let value = try? JSONValue(parsing: letter.record) else { return nil }
        let text = Self.shortened(value, depth: 0).compactText
        return text.count <= Self.limit ? text : "\(text.prefix(Self.limit - 1))…"
    }

    private static func shortened(_ value: JSONValue, depth: Int) -> JSONValue {
        switch value {
        case .string(let string) where string.text.count > longest: .text("\(string.text.prefix(longest - 1))…")
        case .array(let elements):
            depth > 3
                ? .text("…")
                : .array(
                    elements.prefix(most).map { shortened($0, depth: depth + 1) }
                        + (elements.count > most ? [.text("…")] : [])
                )
        case .object(let object):
            depth > 3
                ? .text("…")
                : .object(JSONObject(object.members.map { ($0.key, shortened($0.value, depth: depth + 1)) }))
        default: value
        }
    }
}
