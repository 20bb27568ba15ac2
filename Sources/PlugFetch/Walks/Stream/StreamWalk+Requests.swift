import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest

// One request for a page.
extension StreamWalk {
    /// A page, and how it was requested.
    struct Fetched {
        var mark: JSONValue
        var answer: Answer
        var page: PageReading.Page
        /// What decoding has found besides the records; empty for JSON.
        var decoded: Decoded
        /// The marks of its records, if pages have to be joined.
        var marks: [UInt64]
        /// Whether the last record of the previous page was found where it has to be.
        var joins: Bool
        /// The bounds of `since` in the request.
        var bounds: FetchedPage.Bounds?
        /// The request's name in messages.
        var name: String
        var origin: String
        var validatorKey: String?
    }

    /// Whether an answer may say that the parent is gone: not if the request is for many parents, or for unlisted ones.
    var isDetail: Bool { plan.stream.parent?.mayBeGone == true && pass.pager.isAtStart }

    /// How many records of the previous page are requested again: one with offsets, which joins the pages without another
    /// request.
    var overlap: Int {
        guard plan.marks != nil, let tail = pass.tail, tail.empties == 0, case .offset(let offset) = pass.pager.place,
            offset > 0
        else { return 0 }
        return 1
    }

    /// A request to be sent, and what is to be remembered of it.
    private struct Asking {
        var request: PreparedRequest
        var lower: SinceValue?
        var upper: SinceValue?
        /// Identifies the request, if there is something to ask with, or something to keep.
        var keys: ValidatorKeys?
        var key: String?
    }

    /// - Parameters:
    ///   - overlap: How many records before the pager's place are requested as well.
    ///   - window: A window other than the pass's, requested from its start.
    mutating func fetch(
        _ pager: Pager,
        _ handling: Handling,
        overlap: Int = 0,
        in window: SinceWindow? = nil
    ) async throws -> Fetched {
        let asking = try prepare(pager, overlap, window)
        let answer = try await send(asking.request, pager, handling)
        let reading = reading(of: answer, to: asking.request)
        var page: PageReading.Page = ([], PageFacts(count: 0), nil)
        var decoded = Decoded()
        if case .unchanged = answer.content {
        } else {
            validator = nil
            if case .decoded(let decoder, let format) = answer.content {
                (page, decoded) = try await firstBlock(of: answer, decoder, format, reading)
            } else {
                page = try reading.page(answer)
            }
        }
        return fetched(asking, answer, page, decoded, overlap: overlap, name: reading.name)
    }

    @inline(never)
    private mutating func prepare(_ pager: Pager, _ overlap: Int, _ window: SinceWindow?) throws -> Asking {
        var pass = pass
        pass.goBack(to: pager)
        if let window { pass.look(at: window) }
        let context = RequestContext(
            place: pager.place.earlier(by: overlap),
            size: pager.paging?.size,
            pages: pager.pages,
            began: pass.began,
            lineage: lineage,
            lower: pass.sentLower,
            upper: pass.sentUpper
        )
        var request: PreparedRequest
        do throws(PlugError) {
            request = try builder.request(context)
        } catch {
            // The place lies outside the hosts of a manifest that has changed since.
            if pass.isResuming, error.code == .paginationEscape { throw PlaceRefused(cost: FetchedPage.Cost()) }
            // A failure due to a parent's record may be limited to this one; a wrong configuration fails for all.
            var error = error
            if lineage.parent != nil, error.exit == .data { error.reach = .item }
            throw error
        }
        if pass.isResuming, case .url = pager.place, plan.exchange.base.isGranted, !request.isNamed {
            // The service has moved the account, and a token is not sent to the previous address.
            throw PlaceRefused(cost: FetchedPage.Cost())
        }
        let isNew = pager.isAtStart && !pass.isResuming
        // Only if there is something to ask with, or something to keep: it hashes the whole request.
        let keys = isNew ? plan.validatorKeys : nil
        let known = validator == nil ? nil : keys?.key(of: request, in: plan.stream, began: pass.began)
        request.decodesWhole = plan.needsWholePages
        request.list = plan.list
        request.errors = ErrorAnswer(plan.records, globals)
        request.condition = known.flatMap { Validator(validator, for: $0) }?.field
        unrest.requests += 1
        return Asking(request: request, lower: context.lower, upper: context.upper, keys: keys, key: known)
    }

    @inline(never)
    private func reading(of answer: Answer, to request: PreparedRequest) -> PageReading {
        PageReading(
            plan: plan,
            credentials: builder.credentials ?? plan.exchange.credentials,
            globals: globals,
            pageGlobals: plan.globals(lineage, headers: answer.headers),
            name: plan.exchange.name(request)
        )
    }

    @inline(never)
    private func fetched(
        _ asking: Asking,
        _ answer: Answer,
        _ page: PageReading.Page,
        _ decoded: Decoded,
        overlap: Int,
        name: String
    ) -> Fetched {
        var page = page
        var marks = plan.marks?.marks(page.records, globals) ?? []
        if overlap > 0, page.facts.count > 0 {
            page.facts.overlap = min(overlap, page.facts.count)
            page.facts.count -= page.facts.overlap
        }
        let joins = overlap > 0 && marks.first != nil && marks.first == pass.tail?.ids.last
        if joins {
            page.records.removeFirst()
            marks.removeFirst()
        }
        var key: String?
        if answer.validator != nil {
            key = asking.key ?? asking.keys?.key(of: asking.request, in: plan.stream, began: pass.began)
        }
        return Fetched(
            mark: pass.json,
            answer: answer,
            page: page,
            decoded: decoded,
            marks: marks,
            joins: joins,
            bounds: plan.stream.since.map { since in
                FetchedPage.Bounds(lower: asking.lower?.json(since.type), upper: asking.upper?.json(since.type))
            },
            name: name,
            origin: plan.exchange.redactor.shown(answer.url),
            validatorKey: key
        )
    }

    /// Sends a request. A page past the last page number counts as empty if the service has none.
    private mutating func send(_ request: PreparedRequest, _ pager: Pager, _ handling: Handling) async throws -> Answer
    {
        guard pager.isBehindTheLast else {
            let (exchange, name) = (plan.exchange, plan.stream.name)
            // A position that an earlier run left may be refused, which concerns this walk alone.
            if exchange.shared.isIdle || handling.isResuming || !takesShared {
                return try await exchange.send(request, for: name, handling)
            }
            var own = handling
            // The previous page's link was given to another reader, perhaps long ago.
            own.isResuming = hasTakenShared
            let finding = try await exchange.shared.answer(to: request, of: name, for: reader) { [own] in
                try await exchange.send(request, for: name, own)
            }
            hasTakenShared = finding.isShared
            return finding.answer
        }
        do {
            let lenient = Handling(isResuming: true, isDetail: handling.isDetail)
            return try await plan.exchange.send(request, for: plan.stream.name, lenient)
        } catch let refusal as PlaceRefused {
            return Answer(content: .empty, url: request.url, headers: HTTPHeaders([]), cost: refusal.cost)
        }
    }
}
