import LosslessJSON
import PlugCore

// Answers that are not JSON.
extension StreamShape {
    private static let columns = [
        "version", "id", "owner", "kind", "amount", "text", "updated_at", "seq", "poison", "stumble", "hidden", "gone",
        "size",
    ]

    /// What the manifest says of them.
    var decodeLines: [String] {
        switch format {
        case .json: []
        case .jsonLines: ["decode: jsonl"]
        case .delimited: ["decode: csv"]
        case .xml: ["decode: {xml: {records: item}}"]
        }
    }

    /// The program that finds the place of the next page.
    func place(_ name: String) -> String {
        if format == .json { return ".\(name)" }
        return pagesByLast ? ".last.\(order == .byID ? "id" : "seq")" : "'headers[\"x-\(name)\"]'"
    }

    /// The condition that a record says something of itself.
    func flag(_ name: String) -> String { format.isOfTexts ? ".\(name) == \"true\"" : ".\(name)" }

    /// A thing's record as an object of texts.
    func texts(_ item: Item, of owner: String) -> JSONValue {
        var object = JSONObject()
        for (column, cell) in zip(Self.columns, cells(item, of: owner)) { object[JSONString(column)] = .text(cell) }
        return .object(object)
    }

    /// What becomes of a row or line that nobody can read.
    func broken(_ item: Item) -> Version {
        let text = JSONValue.text(brokenText(item))
        return Version(
            identity: "broken \(name) \(item.id) \(item.version)",
            content: text,
            raw: text,
            destiny: .broken,
            stream: name,
            item: item.id,
            number: item.version
        )
    }

    private func brokenText(_ item: Item) -> String {
        format == .jsonLines ? #"{"id": \#(item.id), "version": \#(item.version)"# : "\(item.version),\(item.id)"
    }

    private func cells(_ item: Item, of owner: String) -> [String] {
        func told(_ destiny: Destiny) -> String { item.destiny == destiny ? "true" : "" }
        let (time, place) = (Timestamp(seconds: item.updated).rfc3339, String(item.sequence))
        let start = [String(item.version), String(item.id)]
        if item.isGone { return start + ["", "", "", "", time, place, "", "", told(.dropped), "true", ""] }
        let text = "\u{E9}\"; <&>,\n\u{1F600}"
        return start + [owner, name, "\(item.id % 7).10", text, time, place]
            + [told(.refusedByPDA), told(.stumbling), told(.dropped), "", item.destiny == .unmappable ? "large" : "7"]
    }

    // MARK: - Answers

    /// A decoded answer and the lines in which its records begin.
    struct Body: Sendable {
        var text: String
        var lines: [Int]
    }

    /// An answer with these records.
    func body(_ records: [String]) -> Body {
        var body = Body(text: head, lines: [])
        for record in records {
            body.lines.append(1 + body.text.count { $0 == "\n" })
            body.text += record + "\n"
        }
        if format == .xml { body.text += "</items>\n" }
        return body
    }

    /// The bytes of an answer that breaks off behind some of its records, so that whoever reads it can tell.
    func cutBody(_ records: [String]) -> [UInt8] {
        let text = body(records).text
        switch format {
        case .json, .xml: return Array(text.utf8.dropLast("</items>\n".utf8.count)) + Array("<item><version>1".utf8)
        case .delimited: return Array((text + "1,\"").utf8)
        case .jsonLines:
            // A text that ends in its middle looks whole. This is gzip (RFC 1952) around a stored block (RFC 1951, 3.2.4), and
            // the last block is not there.
            let plain = Array((text + "{\"id\"").utf8)
            let size = [UInt8(plain.count & 0xFF), UInt8(plain.count >> 8)]
            return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 0] + size + size.map { ~$0 } + plain
        }
    }

    private var head: String {
        switch format {
        case .json, .jsonLines: ""
        case .delimited: Self.columns.joined(separator: ",") + "\n"
        case .xml: "<items>\n"
        }
    }

    /// A thing as it stands in a decoded answer.
    ///
    /// - Parameter json: Its record where that is JSON.
    func record(_ item: Item, of owner: String, json: String) -> String {
        if item.destiny == .broken, !item.isGone { return brokenText(item) }
        switch format {
        case .json, .jsonLines: return json
        case .delimited: return cells(item, of: owner).map(Self.quoted).joined(separator: ",")
        case .xml:
            let members = zip(Self.columns, cells(item, of: owner)).map { "<\($0)>\(Self.escaped($1))</\($0)>" }
            return "<item>\(members.joined())</item>"
        }
    }

    private static func quoted(_ cell: String) -> String {
        guard cell.contains(where: { "\",\n".contains($0) }) else { return cell }
        return "\"" + cell.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func escaped(_ text: String) -> String {
        text.map { $0 == "<" ? "&lt;" : $0 == "&" ? "&amp;" : String($0) }.joined()
    }
}
