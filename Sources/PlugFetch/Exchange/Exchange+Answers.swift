import CurlTransport
import JQ
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization
import Throttling

extension Exchange {
    /// What an answer means for the request; `nil` if it goes to another address now.
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
                    validator: validator
                )
            )
        }
        if response.status == 304, prepared.condition != nil { return answer(.unchanged) }
        let (verdict, byRule) = try judge(response, prepared)
        let isRefusal = verdict == .fail || verdict == .empty
        if request.handling.isResuming, [400, 404, 410, 416, 422].contains(response.status), isRefusal {
            throw PlaceRefused(cost: request.cost)
        }
        let name = name(prepared)
        switch verdict {
        case .page, .empty:
            request.cost.pages += 1
            await applyRequestedWait(response)
            let validator = request.hops == 0 && response.status == 200 ? Validator(response.headers) : nil
            return answer(verdict == .page ? .page(try document(response, prepared)) : .empty, validator)
        case .fail where request.handling.isDetail && !byRule && [404, 410].contains(response.status):
            warn(request.stream, .childGone, "\(name) was answered with \(response.status) and is left out")
            return answer(.gone)
        case .redirect:
            request.hops += 1
            request.prepared.url = try redirect(response, prepared, hops: request.hops)
            // What is known of one address says nothing about another.
            request.prepared.condition = nil
            return nil
        case .unauthorised: throw try quoting(response, SourceFault.unauthorised(response.status, name))
        case .fail where response.status == 304 && !byRule: throw SourceFault.unexpectedlyUnchanged(name)
        case .fail: throw try quoting(response, SourceFault.refused(response.status, name, byRule: byRule))
        case .retry, .limit:
            return .again(try await failedTry(response, name, tries: request.tries, isLimit: verdict == .limit))
        }
    }

    private func failedTry(
        _ response: HTTPResponse,
        _ name: String,
        tries: Int,
        isLimit: Bool
    ) async throws -> FailedTry {
        let asked = RequestedWait.asked(by: response.headers, isLimit: isLimit, now: clock.now())
        let until = asked.flatMap { $0 > settings.retry.maximumWait ? time(after: $0) : nil }
        let fault =
            if let until {
                SourceFault.limited(name, until: until, isAsked: true, isOwn: true)
            } else if isLimit {
                SourceFault.stillLimited(name, tries: tries)
            } else {
                SourceFault.unavailable(response.status, name, tries: tries)
            }
        let error = try quoting(response, fault)
        if let until { told.withLock { told in if until >= told?.until ?? 0 { told = (error, until) } } }
        // What the source asks for holds for all requests that it concerns, not for this one alone, and on the last try too.
        if let asked { await concerned(by: response.status).close(for: asked, isLasting: asked >= .seconds(1)) }
        return FailedTry(error, isLimit: isLimit, asked: asked)
    }

    /// What an answer's status means: by the manifest's rules, else by the built-in table.
    private func judge(
        _ response: HTTPResponse,
        _ request: PreparedRequest
    ) throws(PlugError) -> (StatusVerdict, byRule: Bool) {
        var body: JSONValue?
        for rule in settings.rules where rule.status.contains(response.status) {
            guard let condition = rule.condition else { return (StatusVerdict(rule.action), true) }
            let value = body ?? (try? JSONDocument(response.body))?.root.value ?? .null
            body = value
            let globals = RecordGlobals.answer.values(parent: nil, config: config, headers: response.headers.json)
            let output: JSONValue?
            do {
                output = try condition.run(value, globals: globals).first
            } catch {
                if let interruption = error.interruption { throw interruption }
                throw PlugError(
                    .conditionFailed,
                    "\(rule.place): the condition '\(condition.source)' of 'http.on' failed on the answer "
                        + "\(response.status) to "
                        + "\(name(request)): \(error.withoutValues)",
                    advice: "make it handle any body, including null"
                )
            }
            if let output, !output.isNull, output.bool != false { return (StatusVerdict(rule.action), true) }
        }
        return (StatusVerdict(builtIn: response.status, response.headers), false)
    }

    /// The page in an answer.
    private func document(_ response: HTTPResponse, _ request: PreparedRequest) throws(PlugError) -> JSONDocument {
        let limits = PageLimits(settings.maximumBody)
        do {
            return try JSONDocument(response.body, limits: limits.json)
        } catch {
            switch error.kind {
            case .tooManyTokens: throw limits.tooManyValues(name(request))
            case .tooDeep: throw SourceFault.tooDeep(limits.json.depth, offset: error.offset, name(request))
            case .malformed, .tooLarge: break
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
        guard let location = response.headers.first("location"), request.method == "GET" else {
            throw SourceFault.refused(response.status, name(request), byRule: false)
        }
        if hops > 5 {
            throw PlugError(
                .tooManyRedirects,
                "\(name(request)) was redirected more than 5 times",
                advice: "check the address in the manifest",
                reach: .item
            )
        }
        return credentials.removed(from: try follow(location, from: request.url, name(request)))
    }

    /// Where a link leads that a source gave us.
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
            let host = redactor.shown(url.port == (url.isSecure ? 443 : 80) ? url.host : url.hostAndPort)
            throw SourceFault.escape(shown, .outside(hosts: hosts.list, host: host), from: request)
        }
        return url
    }
}
