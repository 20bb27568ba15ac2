import CurlTransport
import Decoding
import LosslessJSON
import PlugCore
import PlugManifest
import Throttling

extension Exchange {
    /// What an answer means for the request; `nil` if it is redirected to another address.
    func verdict(
        _ response: HTTPResponse,
        _ request: inout SourceRequest
    ) async throws -> RetryingSender.Verdict<Answer>? {
        let prepared = request.prepared
        func answer(_ content: Answer.Content, _ validator: Validator? = nil) -> RetryingSender.Verdict<Answer> {
            .done(
                Answer(
                    content: content,
                    url: prepared.url,
                    headers: response.headers,
                    cost: request.cost,
                    held: response.body.count,
                    validator: validator
                )
            )
        }
        if response.status == 304, prepared.condition != nil { return answer(.unchanged) }
        if prepared.handled.contains(response.status) { return answer(.whole(response)) }
        let (verdict, rule) = try judge(response, prepared, request.handling, of: request.stream)
        let saysTokenIsDead = rule.map { $0.action == .reauth } ?? (verdict == .unauthorised && response.status == 401)
        if try await isRefused(response, &request, byStatus: saysTokenIsDead) { return nil }
        if let token = request.token, [.page, .empty].contains(verdict) { tokens?.accepted(token) }
        if request.handling.isResuming, refusesPlace(response.status, verdict, rule) {
            throw PlaceRefused(cost: request.cost)
        }
        // Computed on demand: most answers need no name.
        var name: String { self.name(prepared) }
        switch verdict {
        case .page, .empty:
            request.cost.pages += 1
            await applyRequestedWait(response, to: prepared)
            try await applyRuledWait(rule, response, to: request)
            let validator = request.hops == 0 && response.status == 200 ? Validator(response.headers) : nil
            if prepared.isWhole { return answer(.whole(response)) }
            guard verdict == .page else { return answer(rule == nil ? .empty : .skipped, validator) }
            if let decoding = prepared.decoding {
                let decoder = decoder(of: response, decoding, isWhole: prepared.decodesWhole)
                return answer(.decoded(decoder, decoding.format), validator)
            }
            if let list = prepared.list, let decoder = try await pieces(of: response, list, name) {
                return answer(.decoded(decoder, .json(list)), validator)
            }
            let response = try whole(response, name)
            let page = try document(response, prepared)
            // With a rule that says 'ok', an answer with errors counts as a page.
            if prepared.isGraphQL, rule == nil, let error = try errors(in: page, response, name) {
                if request.handling.isResuming { throw PlaceRefused(cost: request.cost) }
                throw error
            }
            if rule == nil, prepared.errors?.isMet(in: page) == true {
                // If it still fails, the position that an earlier run left may be all that the source fails at.
                if request.handling.isResuming, request.tries >= settings.retry.tries {
                    throw PlaceRefused(cost: request.cost)
                }
                let error = SourceFault.answeredWithError(response.status, name, tries: request.tries)
                return .again(FailedTry(try quoting(response, error)))
            }
            return answer(.page(page), validator)
        case .fail where request.handling.isDetail && rule == nil && [404, 410].contains(response.status):
            return answer(.gone(status: response.status))
        case .redirect:
            request.hops += 1
            let url = try redirect(response, prepared, hops: request.hops)
            request.prepared.isNamed = prepared.isNamed && url.hostAndPort == prepared.url.hostAndPort
            request.prepared.url = url
            // A condition belongs to one address and says nothing about another.
            request.prepared.condition = nil
            return nil
        case .shrink:
            if let size = prepared.size, size.asked > max(1, size.minimum) { throw PageTooBig(cost: request.cost) }
            throw try quoting(response, SourceFault.tooBig(response.status, name, prepared.size?.asked, rule))
        case .resetPage:
            let error = try quoting(response, SourceFault.searchFull(response.status, name, rule))
            if prepared.canReset { throw SearchFull(cost: request.cost, error: error) }
            throw error
        case .reread:
            throw CursorRefused(cost: request.cost)
        case .unauthorised: throw try unauthorised(response, request)
        case .fail where response.status == 206 && rule == nil: throw SourceFault.partial(name)
        case .fail where response.status == 304 && rule == nil: throw SourceFault.unexpectedlyUnchanged(name)
        case .fail: throw try quoting(response, SourceFault.refused(response.status, name, rule))
        case .retry, .limit:
            return .again(try await failedTry(response, request, isLimit: verdict == .limit, rule))
        }
    }

    /// Whether an answer says that there is no such page; if a rule matches, only a plain refusal counts.
    private func refusesPlace(_ status: Int, _ verdict: StatusVerdict, _ rule: StatusRule?) -> Bool {
        if verdict == .reread { return true }
        // A rule that skips an answer may be intended for a list that is closed to the user, and match an expired token: the
        // pages behind it would never be read. From the start, the list itself answers.
        if verdict == .empty, rule != nil { return true }
        switch status {
        case 400, 404, 410, 416, 422: return verdict == .fail && rule?.failure ?? .refused == .refused
        case 200...299: return verdict == .fail && rule?.failure == .refused
        default: return false
        }
    }

    /// The error in an answer to a GraphQL query that has `errors`, even beside `data`: parts of the data are missing then
    /// (GraphQL specification, 7.1).
    private func errors(
        in page: JSONDocument,
        _ response: HTTPResponse,
        _ name: String
    ) throws(PlugError) -> PlugError? {
        guard let errors = page.root["errors"], !errors.value.isNull, errors.elements?.isEmpty != true else {
            return nil
        }
        let hasData = page.root["data"].map { !$0.value.isNull } ?? false
        let error = PlugError(
            .graphQLErrors,
            "the answer to \(name) has 'errors'\(hasData ? " beside 'data'" : "")",
            advice: "check 'graphql' in the manifest, or say in 'on' what these errors mean: "
                + "{status: 200, if: .errors, do: limit}",
            reach: .item
        )
        return try quoting(response, error)
    }

    /// Parses the page in an answer.
    private func document(_ response: HTTPResponse, _ request: PreparedRequest) throws(PlugError) -> JSONDocument {
        let limits = PageLimits(settings.answers.page)
        do {
            return try JSONDocument(response.body, limits: limits.json)
        } catch {
            switch error.kind {
            case .tooManyTokens: throw limits.tooManyValues(name(request))
            case .tooDeep: throw SourceFault.tooDeep(limits.json.depth, offset: error.offset, name(request))
            case .malformed:
                if let page = try unpacked(response, name(request)) { return page }
            case .noMemory: throw .memoryShort("the answer to \(name(request))")
            case .tooLarge: break
            }
            let type = response.headers.first("content-type").flatMap { type in
                type.lowercased().contains("json") ? nil : String(redactor.shown(type).prefix(60))
            }
            throw SourceFault.notJSON(error.reason, offset: error.offset, type: type, name(request))
        }
    }

    /// Where a redirect leads.
    private func redirect(
        _ response: HTTPResponse,
        _ request: PreparedRequest,
        hops: Int
    ) throws(PlugError) -> HTTPURL {
        // 303 says that the new address is to be requested with GET.
        let isKept =
            request.method == "GET" && request.body == nil
            || response.status != 303 && Request.Method(rawValue: request.method)?.isSafe == true
        guard let location = response.headers.first("location"), isKept else {
            throw SourceFault.refused(response.status, name(request), nil)
        }
        if hops > 5 {
            throw PlugError(
                .tooManyRedirects,
                "\(name(request)) was redirected more than 5 times",
                advice: "check the address in the manifest",
                reach: .item
            )
        }
        return credentials(of: request).removed(from: try follow(location, from: request.url, name(request)))
    }

    /// Resolves a link given by the source.
    ///
    /// - Throws: `PlugError` `pagination-escape` if it leads out of `hosts`, from https to http, or nowhere.
    func follow(_ link: String, from base: HTTPURL, _ request: String) throws(PlugError) -> HTTPURL {
        let shown = redactor.shown(link: link)
        let url: HTTPURL
        do {
            url = try HTTPURL.resolve(reference: link, against: base)
        } catch {
            throw SourceFault.escape(shown, .unreadable(error.message), from: request)
        }
        if base.isSecure, !url.isSecure {
            throw SourceFault.escape(shown, .unencrypted, from: request)
        }
        guard hosts.contains(url) else {
            let host = redactor.shown(url.site)
            throw SourceFault.escape(shown, .outside(hosts: hosts.list, host: host), from: request)
        }
        return url
    }
}
