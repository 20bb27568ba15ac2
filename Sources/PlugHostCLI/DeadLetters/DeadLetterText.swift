internal import LosslessJSON
internal import PlugCore
internal import PlugRuntime
internal import PlugStorage

/// The text and JSON forms of dead letters.
enum DeadLetterText {
    // MARK: - A list

    /// A letter's identity and reason, never its content.
    static let list = ListForm<StoredDeadLetter>(
        header: ["id", "connection", "stream", "when", "code", "reason", "record"],
        limits: [12, 28, 20, 20, 24, 60, 50],
        columns: { stored in
            let letter = stored.letter
            return [
                "\(stored.id)", stored.connection.name, stored.stream, time(stored), letter.code, letter.shownReason,
                letter.identity.isEmpty ? "-" : letter.identity,
            ]
        },
        payload: { json($0, withRecord: false) }
    )

    private static func time(_ stored: StoredDeadLetter) -> String {
        Timestamp(seconds: Timestamp(microseconds: stored.at).seconds).rfc3339
    }

    // MARK: - One

    /// Everything, with the record pretty-printed.
    static func whole(_ stored: StoredDeadLetter, isForTerminal: Bool) -> String {
        let letter = stored.letter
        let place = letter.stage == .deliver ? "the PDA refused it" : "it failed in the manifest"
        let lines = [
            ("connection", stored.connection.name), ("stream", stored.stream), ("when", time(stored)), ("why", place),
            ("code", letter.code), ("reason", letter.reason),
            ("record", letter.identity.isEmpty ? "without an _id" : letter.identity),
        ]
        var text = "dead letter \(stored.id)\n"
        for (name, value) in lines {
            text += "  \(name)\(String(repeating: " ", count: 12 - name.count))\(DisplayText.escaped(value))\n"
        }
        let pretty = PrettyJSON(isForTerminal: isForTerminal).text(record(letter))
        return text + "\n\(pretty)\n"
    }

    /// What to do about it.
    static func advice(_ stored: StoredDeadLetter) -> String {
        switch stored.letter.stage {
        case .deliver:
            "'plughost deadletters retry \(stored.id) …' sends it again, 'plughost deadletters drop \(stored.id)' erases it"
        case .normalise:
            "\(mend)\n'plughost deadletters drop \(stored.id)' erases it"
        }
    }

    /// The advice for a record that never reached the form in which it is sent.
    static let mend = """
        correct 'map', 'key' or 'fields' in the manifest and run it again: such records are then sent, if the source returns \
        them again (run --since T reads from an earlier time)
        """

    // MARK: - JSON

    /// `{"id", "connection", "stream", "stage", "code", "reason", "identity", "time"}`, and `record` if requested.
    static func json(_ stored: StoredDeadLetter, withRecord: Bool) -> JSONValue {
        let letter = stored.letter
        var members: [JSONObject.Member] = [
            ("id", .number(JSONNumber(stored.id))), ("connection", .text(stored.connection.name)),
            ("stream", .text(stored.stream)), ("stage", .text(letter.stage.rawValue)), ("code", .text(letter.code)),
            ("reason", .text(withRecord ? letter.reason : letter.shownReason)),
            ("identity", letter.identity.isEmpty ? .null : .text(letter.identity)),
            ("time", .text(Timestamp(microseconds: stored.at).rfc3339)),
        ]
        if withRecord { members.append(("record", record(letter))) }
        return .object(JSONObject(members))
    }

    /// The record with every digit; as a text if it is not JSON.
    private static func record(_ letter: DeadLetter) -> JSONValue {
        (try? JSONValue(parsing: letter.record)) ?? .text(String(decoding: letter.record, as: UTF8.self))
    }
}
