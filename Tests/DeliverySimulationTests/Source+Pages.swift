import CurlTransport
import LosslessJSON

/// An answer with records.
struct SourcePage: Sendable {
    var body: [UInt8]
    /// The same, broken off.
    var half: [UInt8]
    var headers: [HTTPHeader]
    var handed: HandedPage
    /// What is good of the half; `nil` where nothing is.
    var handedHalf: HandedPage?
}

extension Source {
    /// Writes an answer.
    ///
    /// - Parameters:
    ///   - next: The address of the next page.
    ///   - token: Its place.
    mutating func page(
        _ items: [Item],
        of stream: Int,
        _ person: Int,
        next: String?,
        token: String?
    ) throws -> SourcePage {
        let shape = streams[stream]
        let texts = items.map { shape.text($0, of: people[person], inside: inside($0, of: stream, person)) }
        var versions = try items.map { try version($0, of: stream, person) }
        var headers: [HTTPHeader] = []
        if shape.paging == .link, let next { headers.append(HTTPHeader("Link", "<\(next)>; rel=\"next\"")) }
        guard shape.format != .json else {
            let body =
                #"{"items": [\#(texts.joined(separator: ", "))], "#
                + #""next": \#(shape.paging == .next ? next.map { "\"\($0)\"" } ?? "null" : "null"), "#
                + #""cursor": \#(shape.paging == .cursor ? token.map { "\"\($0)\"" } ?? "null" : "null")}"#
            return SourcePage(
                body: Array(body.utf8),
                half: Array(body.prefix(body.count / 2).utf8),
                headers: headers + [HTTPHeader("Content-Type", "application/json")],
                handed: HandedPage(
                    person: person,
                    stream: stream,
                    blocks: isReadInPieces ? blocks(versions, of: stream) : [versions]
                )
            )
        }
        if shape.paging == .next, let next { headers.append(HTTPHeader("X-Next", next)) }
        if shape.paging == .cursor, let token { headers.append(HTTPHeader("X-Cursor", token)) }
        let records = zip(items, texts).map { shape.record($0, of: people[person], json: $1) }
        let body = shape.body(records)
        for at in versions.indices where versions[at].destiny == .broken {
            versions[at].raw = .members(("line", .integer(body.lines[at])), ("text", versions[at].raw))
        }
        let half = items.count / 2
        func handed(_ versions: [Version]) -> HandedPage {
            HandedPage(person: person, stream: stream, blocks: blocks(versions, of: stream))
        }
        return SourcePage(
            body: Array(body.text.utf8),
            half: shape.cutBody(Array(records.prefix(half))),
            headers: headers + [HTTPHeader("Content-Type", "application/octet-stream")],
            handed: handed(versions),
            handedHalf: half > 0 ? handed(Array(versions.prefix(half))) : nil
        )
    }

    /// The records of an answer as they are delivered: those of parents, and those of pages that have to be joined, at once.
    private func blocks(_ versions: [Version], of stream: Int) -> [[Version]] {
        let shape = streams[stream]
        if shape.joinsPages || streams.contains(where: { $0.parent == stream }) { return [versions] }
        var blocks: [[Version]] = [[]]
        var count = 0
        for version in versions {
            if count == blockRecords {
                blocks.append([])
                count = 0
            }
            blocks[blocks.count - 1].append(version)
            // Whether a line can be read shows later than whether a row can.
            if shape.format != .delimited || version.destiny != .broken { count += 1 }
        }
        return blocks
    }
}
