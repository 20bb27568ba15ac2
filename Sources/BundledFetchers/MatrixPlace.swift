import LosslessJSON

/// Where a Matrix reading continues.
struct MatrixPlace {
    /// Events of a room that `sync` left out: those between two tokens.
    struct Gap {
        var room: String
        var from: String
        var to: String
    }

    /// The token of the next `sync`.
    var since: String
    /// Whether the rooms are still being read backwards from there.
    var isHistory = false
    /// The room being read; all rooms before it in order are done.
    var room = ""
    /// The position in it; `nil` at its newest event.
    var from: String?
    /// What remains to be read before the pass is complete.
    var gaps: [Gap] = []

    init(since: String, isHistory: Bool = false, gaps: [Gap] = []) {
        (self.since, self.isHistory, self.gaps) = (since, isHistory, gaps)
    }

    /// Reads a cursor; `nil` at the very beginning.
    init?(_ cursor: JSONValue?) {
        guard let cursor, let since = cursor["since"]?.stringText else { return nil }
        self.since = since
        isHistory = cursor["history"] != nil
        room = cursor["history"]?["room"]?.stringText ?? ""
        from = cursor["history"]?["from"]?.stringText
        gaps = (cursor["gaps"]?.elements ?? []).compactMap { gap in
            guard let room = gap["room"]?.stringText, let from = gap["from"]?.stringText,
                let to = gap["to"]?.stringText
            else { return nil }
            return Gap(room: room, from: from, to: to)
        }
    }

    /// The cursor.
    var json: JSONValue {
        var object = JSONObject([("since", .text(since))])
        if isHistory {
            var history = JSONObject([("room", .text(room))])
            history["from"] = from.map(JSONValue.text)
            object["history"] = .object(history)
        }
        if !gaps.isEmpty {
            object["gaps"] = .array(
                gaps.map { .members(("room", .text($0.room)), ("from", .text($0.from)), ("to", .text($0.to))) }
            )
        }
        return .object(object)
    }
}
