/// The headers of a message or of a part: names in lower case, values in one line.
struct MailHeaders {
    /// The headers that a message needs. Each has room of its own, so that none keeps another from being read; all others share
    /// theirs.
    private static let needed: Set = [
        "message-id", "in-reply-to", "date", "subject", "from", "to", "cc", "content-type", "content-disposition",
        "content-transfer-encoding",
    ]

    /// How many bytes each room has.
    private let limit: Int
    private var lines: [(name: String, value: [UInt8])] = []
    /// How many bytes each room holds; that of the other headers has an empty name.
    private var sizes: [String: Int] = [:]
    /// The room of the header that may be continued; `nil` if that header is left out.
    private var room: String?
    /// Whether there was more than is kept.
    private(set) var isCut = false

    /// - Parameter limit: How many bytes of a header are kept, and of all those that no message needs.
    init(limit: Int) { self.limit = limit }

    /// Takes a line; one that begins with a blank continues the previous one.
    mutating func add(_ line: UnsafeRawBufferPointer) {
        guard let first = line.first else { return }
        if first == 0x20 || first == 0x09 {
            guard let room, let value = kept(line, beside: 0, in: room) else { return }
            lines[lines.count - 1].value.append(0x20)
            lines[lines.count - 1].value += value
            return
        }
        guard let colon = line.firstIndex(of: 0x3A), colon > 0 else { return }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let own = Self.needed.contains(name) ? name : ""
        let value = kept(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]), beside: colon + 1, in: own)
        room = value == nil ? nil : own
        if let value { lines.append((name, value)) }
    }

    /// As much of a text as there is room for, without blanks around it; `nil` if there is none.
    ///
    /// - Parameter others: How many bytes of the same line also need room.
    private mutating func kept(_ text: UnsafeRawBufferPointer, beside others: Int, in room: String) -> [UInt8]? {
        let size = sizes[room, default: 0] + others
        guard size < limit else {
            isCut = true
            return nil
        }
        sizes[room] = min(limit, size + text.count)
        if text.count <= limit - size { return Array(text.trimmed) }
        isCut = true
        return MailText.withoutCutCharacter(UnsafeRawBufferPointer(rebasing: text.prefix(limit - size)).trimmed)
    }

    /// The first value of a name.
    func first(_ name: String) -> String? {
        lines.first { $0.name == name }.map { MailText.guessed($0.value) }
    }

    /// All values of a name.
    func all(_ name: String) -> [String] { lines.filter { $0.name == name }.map { MailText.guessed($0.value) } }

    /// Writes all of them, each name with its values in a list, encoded words decoded.
    func write(to json: JSONBytes) {
        var names: [String] = []
        for line in lines where !names.contains(line.name) { names.append(line.name) }
        json.append("{")
        for (at, name) in names.enumerated() {
            if at > 0 { json.append(",") }
            json.appendString(name)
            json.append(":[")
            for (at, value) in all(name).enumerated() {
                if at > 0 { json.append(",") }
                json.appendString(MailWords.decoded(value))
            }
            json.append("]")
        }
        json.append("}")
    }
}

/// A header with parameters: `text/plain; charset="utf-8"` (RFC 2045, 5.1; RFC 2231).
struct MailParameters {
    /// The value before the parameters, in lower case.
    let value: String
    private var parameters: [String: String] = [:]

    init(_ header: String) {
        var parts = Self.parts(header)[...]
        value = (parts.popFirst() ?? "").mailTrimmed().lowercased()
        var pieces: [String: [(Int, String)]] = [:]
        for part in parts {
            let halves = part.split(separator: "=", maxSplits: 1)
            guard halves.count == 2 else { continue }
            var name = String(halves[0]).mailTrimmed().lowercased()
            var text = Self.unquoted(String(halves[1]).mailTrimmed())
            if name.hasSuffix("*") {
                name.removeLast()
                text = Self.extended(text)
            }
            // Long values come in pieces: `filename*0="…"; filename*1="…"`.
            if let star = name.lastIndex(of: "*"), let number = Int(name[name.index(after: star)...]) {
                pieces[String(name[..<star]), default: []].append((number, text))
            } else {
                parameters[name] = parameters[name] ?? text
            }
        }
        for (name, found) in pieces { parameters[name] = found.sorted { $0.0 < $1.0 }.map(\.1).joined() }
    }

    subscript(name: String) -> String? { parameters[name] }

    /// Splits at semicolons outside quotes.
    private static func parts(_ header: String) -> [String] {
        var parts = [""]
        var (isQuoted, isEscaped) = (false, false)
        for character in header {
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped
            if character == ";", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count >= 2, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast()).replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
    }

    /// `utf-8'en'na%C3%AFve`.
    private static func extended(_ text: String) -> String {
        let parts = text.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        let (charset, encoded) = parts.count == 3 ? (String(parts[0]), parts[2]) : (nil, Substring(text))
        return MailText.text(of: MailText.unescaped(Array(encoded.utf8), mark: 0x25), charset: charset)
    }
}
