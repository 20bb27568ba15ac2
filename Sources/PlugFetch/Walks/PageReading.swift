import HTTPTransport
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// Takes the records out of an answer, and what paging needs to know.
struct PageReading {
    let plan: StreamPlan
    let globals: [JSONValue]
    /// How the request is called in messages.
    let name: String

    /// Records, what paging needs to know, and why the next link cannot be followed.
    typealias Page = (records: [JSONView], facts: PageFacts, linkFault: PlugError?)

    func page(_ answer: Answer, after previous: [JSONView]) throws(PlugError) -> Page {
        guard case .page(let document) = answer.content else { return ([], PageFacts(count: 0), nil) }
        let records = try records(of: document)
        let sourceCount = plan.records.sourceCount(of: document)
        var facts = PageFacts(count: sourceCount ?? records.count, countsAll: sourceCount != nil)
        facts.repeats = Self.isSame(records, previous)
        facts.more = try first(plan.more, document, "page.more").map { !$0.isNull && $0.bool != false }
        if plan.more != nil, facts.more == nil { facts.more = false }
        facts.total = try first(plan.total, document, "page.total").flatMap { total in
            (total.number ?? total.stringText.flatMap { JSONNumber($0) })?.int64.map { Int($0) }
        }
        do throws(PlugError) {
            facts.following = try following(document, answer)
        } catch {
            guard error.code == "pagination-escape" else { throw error }
            return (records, facts, error)
        }
        return (records, facts, nil)
    }

    private func records(of document: JSONDocument) throws(PlugError) -> [JSONView] {
        do {
            return try plan.records.records(of: document, globals)
        } catch {
            switch error {
            case .missing:
                throw PlugError(
                    "records-missing",
                    exit: .data,
                    "the answer to \(name) has no records: 'records' (\(plan.stream.records.source)) gives null or "
                        + "nothing (the answer ends at byte offset \(document.byteCount))",
                    advice: "look at the answer; where an empty page lacks them, write "
                        + "'records: \(plan.stream.records.source) // []'"
                )
            case .failed(let reason):
                throw PlugError(
                    "records-failed",
                    exit: .data,
                    "'records' (\(plan.stream.records.source)) fails on the answer to \(name): \(reason)",
                    advice: "try it with: plughost jq '\(plan.stream.records.source)' FILE"
                )
            }
        }
    }

    private func first(
        _ selector: Selector?,
        _ document: JSONDocument,
        _ key: String
    ) throws(PlugError) -> JSONValue? {
        guard let selector else { return nil }
        do {
            return try selector.first(of: document.root, globals)
        } catch {
            throw PlugError(
                "page-program-failed",
                exit: .data,
                "'\(key)' (\(selector.program.source)) fails on the answer to \(name): \(error.withoutValues)",
                advice: "try it with: plughost jq '\(selector.program.source)' FILE"
            )
        }
    }

    private func following(_ document: JSONDocument, _ answer: Answer) throws(PlugError) -> Place? {
        switch plan.stream.paging?.kind {
        case .link:
            let target = LinkHeader.target(in: answer.headers.all("link"), relation: "next")
            return try target.map { link throws(PlugError) in try self.link(link, answer) }
        case .next:
            guard let token = try first(plan.token, document, "page.next"), !Self.isNone(token) else { return nil }
            guard let text = token.stringText else { throw badToken(token, "page.next") }
            return try link(text, answer)
        case .cursor:
            guard let token = try first(plan.token, document, "page.cursor.from"), !Self.isNone(token) else {
                return nil
            }
            guard token.stringText != nil || token.number != nil else { throw badToken(token, "page.cursor.from") }
            return .token(token)
        default: return nil
        }
    }

    private func link(_ text: String, _ answer: Answer) throws(PlugError) -> Place {
        let url = try plan.exchange.follow(text, from: answer.url, name)
        return .url(plan.exchange.credentials.removed(from: url).description)
    }

    /// `null`, `false` and the empty text are how sources say that there is none.
    private static func isNone(_ token: JSONValue) -> Bool {
        token.isNull || token.bool == false || token.stringText?.isEmpty == true
    }

    private func badToken(_ token: JSONValue, _ key: String) -> PlugError {
        PlugError(
            "page-token",
            exit: .data,
            "'\(key)' gives \(token.typeName == "object" || token.typeName == "array" ? "an" : "a") \(token.typeName) "
                + "in the answer to \(name), where a text belongs",
            advice: "check the program; null or an empty text ends the pages"
        )
    }

    /// Whether two pages have the very same records.
    private static func isSame(_ records: [JSONView], _ previous: [JSONView]) -> Bool {
        guard !records.isEmpty, records.count == previous.count else { return false }
        return zip(records, previous).allSatisfy { left, right in
            left.document.withCursor { first in
                right.document.withCursor { second in first.slice(left.node).elementsEqual(second.slice(right.node)) }
            }
        }
    }
}

/// The words for passes that cannot go on.
enum PagingMessages {
    static func error(_ fault: PagingFault, _ stream: PlugManifest.Stream, _ name: String) -> PlugError {
        switch fault {
        case .loop:
            PlugError(
                "pagination-loop",
                exit: .data,
                "\(name) leads back to a page of this pass, or gives the same records over and over",
                advice: "check 'page': its parameter may be misspelt, or its token the wrong one",
                stream: stream.name
            )
        case .empty:
            PlugError(
                "pagination-empty",
                exit: .data,
                "\(name) is one of more than \(Pager.emptyLimit) pages in a row without records",
                advice: "check 'records' and 'page'; what was read is kept, and the next run goes on here",
                stream: stream.name
            )
        case .limit:
            PlugError(
                "page-limit",
                exit: .data,
                "\(name) leads to more than the \(stream.paging?.maximum ?? 0) pages that 'page.max' allows a run",
                advice: "raise 'page.max' where the stream is that long; the next run goes on here",
                stream: stream.name
            )
        }
    }
}
