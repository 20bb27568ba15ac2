import CurlTransport
import JQ
import LosslessJSON
import PlugCore
import PlugManifest
import Synchronization
import Throttling

extension Exchange {
    /// What an answer's status means: by the stream's rules, then by those of `http`, otherwise by the built-in table.
    func judge(
        _ response: HTTPResponse,
        _ request: PreparedRequest,
        _ handling: Handling,
        of stream: String
    ) throws(PlugError) -> (verdict: StatusVerdict, rule: StatusRule?) {
        var body: JSONValue?
        let canReread = handling.hasCursor || handling.isResuming
        let isGood = 200..<300 ~= response.status
        for rule in [request.rules, settings.rules].joined() where rule.status.contains(response.status) {
            // If nothing was saved, nothing can be forgotten: the answer is the error it would be without such a rule.
            let forgetsNothing = rule.action == .reread && !canReread
            let isPassedOver = forgetsNothing && !isGood
            let verdict = forgetsNothing ? .fail : StatusVerdict(rule.action)
            guard let condition = rule.condition else {
                if isPassedOver { continue }
                return (verdict, rule)
            }
            let value = body ?? response.valueForRules
            body = value
            let output: JSONValue?
            do {
                output = try condition.run(value, globals: globals(of: response)).first
            } catch {
                if let interruption = error.interruption { throw interruption }
                // The condition was not written for a proxy's error page: there the status decides.
                if response.isJSON {
                    let message =
                        "\(rule.place): the condition '\(condition.source)' of 'on' failed on the answer \(response.status) to "
                        + "\(name(request)), and the rule was skipped: \(error.withoutValues)"
                    warnOnce(stream, .conditionFailed, message)
                }
                continue
            }
            if !isPassedOver, let output, !output.isNull, output.bool != false { return (verdict, rule) }
        }
        let asksForPart = request.headers.contains { $0.name.lowercased() == "range" }
        return (StatusVerdict(builtIn: response.status, response.headers, asksForPart: asksForPart), nil)
    }

    /// Handles an answer after which another attempt may succeed.
    func failedTry(
        _ response: HTTPResponse,
        _ request: SourceRequest,
        isLimit: Bool,
        _ rule: StatusRule?
    ) async throws -> FailedTry {
        let (name, tries) = (name(request.prepared), request.tries)
        let said = RequestedWait.asked(
            by: response.headers,
            isLimit: isLimit,
            quota: quotaRule,
            now: clock.now()
        )
        let ruled = try ruledWait(rule, response, request, instead: "the usual back-off was used")
        let longest = [said, ruled].compactMap(\.self).max()
        let until = longest.flatMap { $0 > settings.retry.maximumWait ? time(after: $0) : nil }
        let fault =
            if let until {
                SourceFault.limited(name, until: until, now: clock.now(), isAsked: true, isOwn: true)
            } else if isLimit {
                SourceFault.stillLimited(name, tries: tries)
            } else {
                SourceFault.unavailable(response.status, name, tries: tries, isResuming: request.handling.isResuming)
            }
        let error = try quoting(response, fault.saying(rule?.message))
        // A wait requested by the source applies to all requests that it concerns, not just this one, even on the last attempt. A
        // rule's wait for single failures applies to this request only.
        let common = isLimit ? longest : said
        if let until, let common, time(after: common) >= until {
            told.withLock { told in if until >= told?.until ?? 0 { told = (error, until) } }
        }
        if let common {
            await concerned(by: response.status, of: request.prepared).close(
                for: common,
                isLasting: common >= .seconds(1)
            )
        }
        // A rule that takes a good answer for "not yet" is how a job is polled.
        let isExpected = rule != nil && 200..<300 ~= response.status
        return FailedTry(error, isLimit: isLimit, asked: said, ruled: ruled, isExpected: isExpected)
    }

    /// The wait that a rule specifies; `nil` if it has none, or its program yields none for this answer.
    ///
    /// - Parameter other: What happens if the program yields nothing usable as a wait.
    func ruledWait(
        _ rule: StatusRule?,
        _ response: HTTPResponse,
        _ request: SourceRequest,
        instead other: String
    ) throws(PlugError) -> Duration? {
        guard let rule, let wait = rule.wait else { return nil }
        let (program, place): (JQProgram, String)
        switch wait {
        case .fixed(let duration): return duration
        case .program(let own, let line): (program, place) = (own, line)
        }
        let reason: String
        do {
            let output = try program.run(response.valueForRules, globals: globals(of: response)).first ?? .null
            if output.isNull { return nil }
            let text = output.stringText ?? output.compactText
            // A time already past leaves the usual back-off.
            if let wait = RequestedWait.wait(text, now: clock.now()) { return wait > .zero ? wait : nil }
            reason = "gave neither seconds nor a time"
        } catch {
            if let interruption = error.interruption { throw interruption }
            reason = "failed: \(error.withoutValues)"
        }
        let message =
            "\(place): 'wait' (\(program.source)) \(reason) on the answer \(response.status) to "
            + "\(name(request.prepared)); \(other)"
        warnOnce(request.stream, .waitUnreadable, message)
        return nil
    }

    private func globals(of response: HTTPResponse) -> [JSONValue] {
        RecordGlobals.answer.values(parents: [], config: config, headers: response.headers.json)
    }
}

extension HTTPResponse {
    /// Whether its body is JSON.
    fileprivate var isJSON: Bool { (try? JSONDocument(body)) != nil }

    /// The body as the programs of rules see it: JSON, otherwise its text, and `null` for none or for one that is not text.
    fileprivate var valueForRules: JSONValue {
        if let document = try? JSONDocument(body) { return document.root.value }
        guard 1...Self.longestText ~= body.count else { return .null }
        return body.withBytes { String(validating: $0, as: UTF8.self) }.map { .text($0) } ?? .null
    }

    /// The most bytes of text that rules examine.
    private static var longestText: Int { 1 << 20 }
}

extension PlugError {
    /// The same error with the manifest's own words for the user.
    fileprivate func saying(_ words: String?) -> PlugError {
        guard let words else { return self }
        var error = self
        error.message += ": \(DisplayText.escaped(words.hasSuffix(".") ? String(words.dropLast()) : words))"
        return error
    }
}

extension SourceFault {
    /// A page that is too big for the source if no smaller one can be requested.
    ///
    /// - Parameter size: How many records it requests, `nil` if it does not say.
    static func tooBig(_ status: Int, _ request: String, _ size: Int?, _ rule: StatusRule?) -> PlugError {
        let message: String
        let advice: String
        if let size {
            message =
                "\(request) was answered with \(status): a page of \(size.counted("record")) is too big for "
                + "the source, and 'page' allows no smaller one ('min_size')"
            advice =
                size == 1
                ? "request the record by hand: the source cannot give it"
                : "lower 'min_size', or request the page by hand"
        } else {
            message =
                "\(request) was answered with \(status): the page is too big for the source, and this stream sends no page "
                + "size that could be smaller"
            advice = "give 'page' a 'size' and a 'size_param', or say in the stream's own 'on' what this answer means"
        }
        // One parent's records may be larger than others'.
        return PlugError(.pageSizeRefused, message, advice: advice, reach: size == nil ? .stream : .item)
            .saying(rule?.message)
    }

    /// A search that yields no more, in a stream that cannot be continued from another bound.
    static func searchFull(_ status: Int, _ request: String, _ rule: StatusRule?) -> PlugError {
        PlugError(
            .windowFull,
            "\(request) was answered with \(status): the search gives no more",
            advice:
                "give the stream 'since' with an 'order' and the bound that is sent, or say in its own 'on' what this answer means",
            reach: .stream
        )
        .saying(rule?.message)
    }

    /// An answer that ends the stream.
    ///
    /// - Parameter rule: The matching rule of the manifest; `nil` if the built-in table decided.
    static func refused(_ status: Int, _ request: String, _ rule: StatusRule?) -> PlugError {
        let message = "\(request) was answered with \(status)"
        guard let rule else {
            let advice =
                switch status {
                case 400, 422:
                    "the source does not accept this request: check path, query and body in the manifest"
                case 404:
                    "check the path, or define in the manifest what this means: on: [{status: 404, do: skip}]"
                case 410:
                    "define in the manifest what this means: on: [{status: 410, do: reread}] if the service has forgotten a cursor "
                        + "that 'since' sends, on: [{status: 410, do: skip}] if nothing is there any longer"
                case 300..<400: "write the address that it leads to in the manifest"
                default: "check the request in the manifest, or define in 'on' what this status means"
                }
            return PlugError(.sourceRefused, message, advice: advice, reach: .item)
        }
        let code: PlugError.Code =
            switch rule.failure {
            case .refused: .sourceRefused
            case .authorisation: .sourceUnauthorised
            case .configuration: .configurationRefused
            case .later: .sourceUnavailable
            }
        let advice =
            rule.action == .reread
            ? "the rule at \(rule.place) starts a stream again, and this one had no saved position"
            : "the rule at \(rule.place) makes this an error"
        // A rule of the manifest speaks for the whole stream.
        return PlugError(code, message, advice: advice, reach: .stream)
            .saying(rule.message)
    }
}
