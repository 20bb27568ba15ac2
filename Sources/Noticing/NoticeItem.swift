internal import LosslessJSON
internal import PlugCore
package import PlugStorage

/// One cause in a notice, with figures for its size.
package struct NoticeItem: Sendable, Equatable {
    /// What it is about.
    package var cause: NoticeCause
    /// The number of connections or records that have been added since the last notice.
    package var news = 0
    /// The number of connections affected now.
    package var connections = 0
    /// The number of connections that were looked at.
    package var lookedAt = 0
    /// The code that most runs failed with.
    package var code: String?
    /// A description, if figures do not suffice.
    package var detail: String?
    /// Some of the connections. They are looked up when the notice is sent and never stored with it.
    package var examples: [Example] = []

    /// A connection affected by a cause.
    package struct Example: Sendable, Equatable {
        /// Its name.
        package var name: String
        /// Its PDA, if the operator wants PDAs to be named.
        package var pda: String?
    }

    /// A cause without figures.
    package init(_ cause: NoticeCause) { self.cause = cause }

    /// What happened, in one sentence.
    package var what: String {
        switch cause.kind {
        case .reconnect:
            let new = news < connections ? ", \(news) of them since the last notice" : ""
            return
                "\(cause.plug): \(connections.counted("connection waits", "connections wait")) until "
                + "\(connections == 1 ? "its person connects" : "their people connect") again\(new)"
        case .stuck:
            let new = news < connections ? ", \(news) of them since the last notice" : ""
            return
                "\(cause.plug): the runs of \(connections.counted("connection")) have moved nothing for a day or twenty times\(new)"
        case .deadLetters:
            return "\(cause.plug): \(news.counted("record was", "records were")) refused for good"
        case .plugFailing:
            return "\(cause.plug): the last run of \(connections) of \(lookedAt) connections failed"
                + (code.map { ", most with \($0)" } ?? "")
        case .disk: return detail ?? "the disk of the state is nearly full"
        }
    }

    /// What to do.
    package var advice: String {
        switch cause.kind {
        case .reconnect: "each person sees it on their page; 'plughost connection list' names the connections"
        case .stuck:
            "'plughost connection list --plug \(cause.plug) --status failing' (or waiting) says why; each code is explained by "
                + "'plughost explain CODE'"
        case .deadLetters: "'plughost deadletters list' says why; 'plughost deadletters retry' sends them again"
        case .plugFailing:
            code.map { "'plughost explain \($0)' says what it may be" } ?? "'plughost runs list' shows the runs"
        case .disk: "free some space, or move the state folder; fetching stops before anything is lost"
        }
    }
}

extension NoticeItem {
    /// Its form in the store and for targets; for the latter with text for people.
    func json(withWords: Bool) -> JSONValue {
        var members: [JSONObject.Member] = [("kind", .text(cause.kind.rawValue))]
        if !cause.plug.isEmpty { members.append(("plug", .text(cause.plug))) }
        switch cause.kind {
        case .reconnect, .stuck: members += [("new", .integer(news)), ("connections", .integer(connections))]
        case .deadLetters: members.append(("new", .integer(news)))
        case .plugFailing: members += [("connections", .integer(connections)), ("looked_at", .integer(lookedAt))]
        case .disk: break
        }
        if let code { members.append(("code", .text(code))) }
        if let detail { members.append(("detail", .text(detail))) }
        if withWords {
            members += [("what", .text(what)), ("advice", .text(advice))]
            if !examples.isEmpty { members.append(("examples", .array(examples.map(\.json)))) }
        }
        return .object(JSONObject(members))
    }

    /// Reads the stored form; `nil` if a later version has written it.
    init?(_ json: JSONValue) {
        guard let kind = json["kind"]?.stringText.flatMap(NoticeCause.Kind.init(rawValue:)) else { return nil }
        func number(_ key: String) -> Int { (json[key]?.number?.int64).map { Int(clamping: $0) } ?? 0 }
        self.init(NoticeCause(kind, plug: json["plug"]?.stringText ?? ""))
        (news, connections, lookedAt) = (number("new"), number("connections"), number("looked_at"))
        (code, detail) = (json["code"]?.stringText, json["detail"]?.stringText)
    }
}

extension NoticeItem.Example {
    fileprivate var json: JSONValue {
        var members: [JSONObject.Member] = [("connection", .text(name))]
        if let pda { members.append(("pda", .text(pda))) }
        return .object(JSONObject(members))
    }
}
