import CurlTransport
import Decoding
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Extracts the records from an answer, and what paging needs to know.
struct PageReading {
    let plan: StreamPlan
    /// The credentials sent with the request, which links do not keep.
    let credentials: Credentials
    let globals: [JSONValue]
    /// What the programs of `page` see: the same, and the answer's headers.
    let pageGlobals: [JSONValue]
    /// The request's name in messages.
    let name: String

    /// Records, what paging needs to know, and the fault if the next page cannot be determined.
    typealias Page = (records: [JSONView], facts: PageFacts, linkFault: PlugError?)

    func page(_ answer: Answer) throws(PlugError) -> Page {
        guard case .page(let document) = answer.content else {
            var facts = PageFacts(count: 0)
            // The manifest declares it empty.
            if case .skipped = answer.content { facts.showsList = true }
            return ([], facts, nil)
        }
        let limits = PageLimits(plan.exchange.settings.answers.page)
        // Counted before they are collected: each takes memory of its own.
        let sourceCount = plan.records.sourceCount(of: document)
        if let count = sourceCount, count > limits.records { throw limits.tooManyRecords(name) }
        let records = try records(of: document)
        if records.count > limits.records { throw limits.tooManyRecords(name) }
        var facts = PageFacts(count: sourceCount ?? records.count, countsAll: sourceCount != nil)
        facts.showsList = plan.records.showsList(in: document)
        if plan.stream.paging != nil { facts.mark = PageMark(records) }
        return try page(records, facts, document, isWhole: true, answer)
    }

    /// The records of a block of an answer.
    ///
    /// - Parameters:
    ///   - isLast: Whether this is the answer's last block.
    ///   - single: What is known about the outputs of the previous blocks.
    func records(
        of block: DecodedBlock,
        _ format: RecordFormat,
        isLast: Bool,
        _ single: inout SingleOutput
    ) throws(PlugError) -> [JSONView] {
        var next = single
        defer { single = next }
        return try selected { () throws(RecordSelection.Failure) in
            try plan.records.records(of: block, format, isLast: isLast, &next, globals)
        }
    }

    /// A page from an answer that came in blocks.
    ///
    /// Of such an answer the programs of `page` see the number of records and the last one; of a JSON answer read in pieces, the
    /// answer with only the last element in its list.
    ///
    /// - Parameters:
    ///   - records: All records, or those of the last block.
    ///   - totals: The totals of all blocks.
    ///   - rest: What surrounds the JSON list, if that is kept.
    func page(
        decoded records: [JSONView],
        _ totals: BlockTotals,
        beside rest: JSONRest?,
        _ answer: Answer
    ) throws(PlugError) -> Page {
        var facts = PageFacts(count: totals.count)
        facts.mark = totals.mark
        // A file without records may be a service's way to say that it is busy: a single word is also a valid CSV header, and any
        // element a valid XML root.
        facts.showsList = totals.count > 0
        let limits = PageLimits(plan.exchange.settings.answers.page)
        // A record was read within its own limits, one level deeper.
        var json = rest == nil ? JSONLimits(bytes: .max) : limits.json
        json.depth += 1 + (plan.list?.path?.count ?? 0)
        let document: JSONDocument
        do {
            document = try JSONDocument(bytes: rest?.file(with: totals.last) ?? totals.document, limits: json)
        } catch {
            // Its records are delivered; the next page is not known.
            if error.kind == .noMemory { throw .memoryShort("the answer to \(name)") }
            if error.kind == .tooManyTokens { return (records, facts, limits.tooManyValues(name)) }
            let fault = DecodingFault(.malformed, "what is beside the list is not JSON: \(error.reason)")
            return (records, facts, SourceFault.undecodable(fault, .json(JSONList(path: nil)), name))
        }
        return try page(records, facts, document, isWhole: rest != nil, answer)
    }

    /// - Parameter isWhole: Whether the document has what is beside the records, too.
    private func page(
        _ records: [JSONView],
        _ facts: PageFacts,
        _ document: JSONDocument,
        isWhole: Bool,
        _ answer: Answer
    ) throws(PlugError) -> Page {
        var facts = facts
        facts.more = try more(document)
        facts.total = try count(plan.total, document, "page.total")
        facts.pages = try count(plan.pages, document, "page.pages")
        do throws(PlugError) {
            facts.following = try following(document, answer)
            facts.lacksToken = facts.following == nil && lacksToken(document)
            facts.lacksLink = lacksLink(answer)
            if plan.readsOnePage {
                facts.unread = MoreToRead(answer.headers, isWhole ? document : nil, beside: records)
            }
        } catch {
            guard [.paginationEscape, .pageLink].contains(error.code) else { throw error }
            return (records, facts, error)
        }
        return (records, facts, nil)
    }

    private func records(of document: JSONDocument) throws(PlugError) -> [JSONView] {
        try selected(from: document) { () throws(RecordSelection.Failure) in
            try plan.records.records(of: document.root, globals)
        }
    }

    private func selected(
        from document: JSONDocument? = nil,
        _ select: () throws(RecordSelection.Failure) -> [JSONView]
    ) throws(PlugError) -> [JSONView] {
        do {
            return try select()
        } catch {
            switch error {
            case .interrupted: throw .interrupted
            case .noMemory: throw .memoryShort("the records of \(name)")
            case .missing:
                throw PlugError(
                    .recordsMissing,
                    "\(place("records")): the answer to \(name) has no records: 'records' "
                        + "(\(plan.stream.records.source)) "
                        + "gives null or nothing\(document.map(Self.shape) ?? "")",
                    advice: "look at the answer; if an empty page leaves them out, write 'records: "
                        + "\(plan.stream.records.source.orEmptyList)'",
                    reach: .item
                )
            case .failed(let reason):
                throw PlugError(
                    .recordsFailed,
                    "\(place("records")): 'records' (\(plan.stream.records.source)) failed on the "
                        + "answer to \(name): \(reason)",
                    advice: "try it with: plughost jq '\(plan.stream.records.source)' FILE",
                    reach: .item
                )
            }
        }
    }

    /// Describes an answer and where it ends. Names that do not look like member names are not shown.
    private static func shape(_ document: JSONDocument) -> String {
        let end = "(the answer ends at byte offset \(document.byteCount))"
        guard let object = document.root.value.object else {
            return "; the answer is \(article(document.root.value)) \(end)"
        }
        let names = object.keys.map(\.text).filter { name in
            name.utf8.count <= 40
                && name.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x5F }
        }
        let shown = names.prefix(10).map { "'\($0)'" }.joined(separator: ", ")
        return shown.isEmpty ? " \(end)" : "; the answer has \(shown)\(names.count > 10 ? " and more" : "") \(end)"
    }

    /// The value of `more`. Anything but a boolean is an error: taken for an end, it would leave records behind.
    private func more(_ document: JSONDocument) throws(PlugError) -> Bool? {
        guard let selector = plan.more else { return nil }
        let value = try first(selector, document, "page.more")
        if let bool = value?.bool { return bool }
        let source = selector.program.source
        let given = value.map { $0.isNull ? "null" : Self.article($0) } ?? "nothing"
        throw PlugError(
            .pageMore,
            "\(place("page.more")): 'page.more' (\(source)) gives \(given) in the answer to \(name), not true or false",
            advice: "check the program; if the last page leaves the member out, write '\(source) // false'",
            stream: plan.stream.name,
            reach: .item
        )
    }

    /// A count given by the source, as a number or as text; sources that do not know it send `null`, or leave it out.
    private func count(_ selector: Selector?, _ document: JSONDocument, _ key: String) throws(PlugError) -> Int? {
        try first(selector, document, key).flatMap { count in
            (count.number ?? count.stringText.flatMap { JSONNumber($0) })?.int64.map { Int($0) }
        }
    }

    private func place(_ key: String) -> String { plan.stream.places[key] }

    /// Whether a page has no member for the token, not even one that says there is none.
    private func lacksToken(_ document: JSONDocument) -> Bool {
        guard let path = plan.token?.path, !path.iterates else { return false }
        if case .missing = document.withCursor({ path.resolve($0, 0) }) { return true }
        return false
    }

    /// Whether no link in a page's headers leads to another page, not even an earlier one.
    private func lacksLink(_ answer: Answer) -> Bool {
        guard case .linkHeader = plan.stream.paging?.kind.lead else { return false }
        let links = answer.headers.all("link")
        return ["next", "prev", "previous", "first", "last"].allSatisfy {
            LinkHeader.target(in: links, relation: $0) == .none
        }
    }

    private func first(
        _ selector: Selector?,
        _ document: JSONDocument,
        _ key: String
    ) throws(PlugError) -> JSONValue? {
        guard let selector else { return nil }
        if let repeated = selector.repeatedMember(in: document.root) {
            throw PlugError(
                .pageProgramFailed,
                "\(place(key)): '\(key)' (\(selector.program.source)) failed on the answer to \(name): \(repeated)",
                advice: "look at the answer: which of the two counts is unknown",
                reach: .item
            )
        }
        do {
            return try selector.first(of: document.root, pageGlobals)
        } catch {
            if let interruption = error.interruption { throw interruption }
            throw PlugError(
                .pageProgramFailed,
                "\(place(key)): '\(key)' (\(selector.program.source)) failed on the answer to \(name): "
                    + "\(error.withoutValues)",
                advice: "try it with: plughost jq '\(selector.program.source)' FILE",
                reach: .item
            )
        }
    }

    private func following(_ document: JSONDocument, _ answer: Answer) throws(PlugError) -> Place? {
        switch plan.stream.paging?.kind.lead {
        case .linkHeader:
            switch LinkHeader.target(in: answer.headers.all("link"), relation: "next") {
            case .link(let text): return try link(text, answer)
            case .none: return nil
            case .unreadable: throw unreadableLink
            }
        case .url(_, let key):
            guard let token = try first(plan.token, document, key), !Self.isNone(token) else { return nil }
            guard let text = token.stringText else { throw badToken(token, key) }
            return try link(text, answer)
        case .token(_, let key):
            guard let token = try first(plan.token, document, key), !Self.isNone(token) else { return nil }
            guard token.stringText != nil || token.number != nil else { throw badToken(token, key) }
            return .token(token)
        case .count, nil: return nil
        }
    }

    private func link(_ text: String, _ answer: Answer) throws(PlugError) -> Place {
        let url = try plan.exchange.follow(text, from: answer.url, name)
        return .url(credentials.removed(from: url).description)
    }

    /// `null`, `false` and the empty text are how sources say that there is none.
    private static func isNone(_ token: JSONValue) -> Bool {
        token.isNull || token.bool == false || token.stringText?.isEmpty == true
    }

    private func badToken(_ token: JSONValue, _ key: String) -> PlugError {
        PlugError(
            .pageToken,
            "\(place(key)): '\(key)' gives \(Self.article(token)) in the answer to \(name), not a text",
            advice: "check the program; null or an empty text ends the pages",
            reach: .item
        )
    }

    private var unreadableLink: PlugError {
        PlugError(
            .pageLink,
            "\(place("page.link")): the 'Link' header of the answer to \(name) names a next page in a form that cannot be read",
            advice:
                "look at the header: a link is <ADDRESS>; rel=\"next\"; if the answer also has the address or a token, use "
                + "'page: {next: …}' or 'page: {cursor: …}'",
            stream: plan.stream.name,
            reach: .item
        )
    }

    private static func article(_ value: JSONValue) -> String {
        "\(["object", "array"].contains(value.typeName) ? "an" : "a") \(value.typeName)"
    }
}
