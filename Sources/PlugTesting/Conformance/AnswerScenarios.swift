import CurlTransport
import PlugCore
import PlugFetch
import PlugManifest

// What services answer when something is wrong with them, or with the credentials.
extension ConformanceScenario {
    static let answers = [retryAfterSeconds, retryAfterDate, failingOnce, failingAlways, truncated, page200]
    static let credentials = [refused, refusedAlways, secrets]

    /// Which request of an undisturbed run is disturbed: the second if there is one, so that something came before.
    private static func place(_ trial: ConformanceTrial) -> Int { min(2, trial.pageRequests) }

    private static let retryAfterSeconds = ConformanceScenario(name: "Retry-After in seconds") { trial in
        try await retryAfter(trial, "in seconds") { _ in "2" }
    }

    private static let retryAfterDate = ConformanceScenario(name: "Retry-After as a date") { trial in
        try await retryAfter(trial, "with a date") { now in
            let pattern = try? StrftimePattern("%a, %d %b %Y %T GMT")
            return pattern?.text(of: Timestamp(seconds: now / 1_000_000 + 3)) ?? ""
        }
    }

    private static func retryAfter(
        _ trial: ConformanceTrial,
        _ form: String,
        _ header: @escaping @Sendable (_ now: Int64) -> String
    ) async throws -> Verdict {
        let at = place(trial)
        let (run, service) = try await trial.disturbed { number, now in
            guard number == at else { return nil }
            return .init(status: 429, headers: [HTTPHeader("Retry-After", header(now))], body: Array("{}".utf8))
        }
        let when = "after 429 and 'Retry-After' \(form)"
        return recovered(trial, run, service, status: 429, at: at, wait: 2_000_000, when)
    }

    private static let failingOnce = ConformanceScenario(name: "500 once") { trial in
        if let meaning = trial.meaning(500) { return .notSimulated(meaning) }
        let at = place(trial)
        let (run, service) = try await trial.disturbed { number, _ in
            number == at ? .init(status: 500, body: Array("{}".utf8)) : nil
        }
        return recovered(trial, run, service, status: 500, at: at, wait: 0, "after 500")
    }

    /// Whether a run recovered from a single failure: with all records, or with the error that the manifest itself asks for.
    private static func recovered(
        _ trial: ConformanceTrial,
        _ run: SimulatedRun,
        _ service: SimulatedService,
        status: Int,
        at: Int,
        wait: Int64,
        _ when: String
    ) -> Verdict {
        let expected = "the same request \(when), and all records"
        func failed(_ happened: String) -> Verdict {
            let advice = "remove the rule of 'on' that treats \(status) as something else, or make it say 'do: retry'"
            return .failed(
                Fault(
                    key: "request",
                    place: trial.rule(status)?.place,
                    expected: expected,
                    happened: happened,
                    advice: advice
                )
            )
        }
        if service.isEndless { return failed("endless requests") }
        if let error = run.error {
            // The manifest says so, or has no retries.
            let isMeant = trial.rule(status)?.action == .fail || trial.world.manifest.http.retry.tries == 1
            let isLong =
                error.exit == .tryLater
                && (trial.rule(status)?.wait != nil || trial.world.manifest.http.retry.maximumWait < .seconds(3))
            return isMeant || isLong ? .passed : failed(trial.shown(error))
        }
        if let difference = trial.difference(run) { return failed(difference) }
        let pages = service.asked.filter { $0.kind == .page }
        if wait > 0, pages.count > at, pages[at].time - pages[at - 1].time < wait {
            return failed("the next request came before the time that the service asked for")
        }
        return .passed
    }

    private static let failingAlways = ConformanceScenario(name: "500 again and again") { trial in
        if let meaning = trial.meaning(500) { return .notSimulated(meaning) }
        return try await persistent(trial, status: 500, "an error: the service answers with 500 again and again") { _ in
            .init(status: 500, body: Array("{}".utf8))
        }
    }

    private static let truncated = ConformanceScenario(name: "truncated JSON") { trial in
        guard trial.world.family.carrier.decoding == nil else { return .absent }
        return try await persistent(trial, status: 200, "an error: half of the answer is missing") { _ in
            .init(status: 200)
        }
    }

    private static let page200 = ConformanceScenario(name: "HTML with 200") { trial in
        guard trial.world.family.carrier.decoding == nil else { return .absent }
        let body = Array("<!DOCTYPE html><html><body><h1>We'll be back soon</h1></body></html>".utf8)
        return try await persistent(trial, status: 200, "an error: the answer is a web page, not JSON") { _ in
            .init(status: 200, headers: [HTTPHeader("Content-Type", "text/html")], body: body)
        }
    }

    /// Whether a lasting failure ends the stream with an error, and soon.
    private static func persistent(
        _ trial: ConformanceTrial,
        status: Int,
        _ expected: String,
        _ fault: @escaping @Sendable (Int) -> SimulatedService.Fault
    ) async throws -> Verdict {
        let at = place(trial)
        let (run, service) = try await trial.disturbed { number, _ in number >= at ? fault(number) : nil }
        func failed(_ happened: String) -> Verdict {
            .failed(
                Fault(
                    key: "request",
                    place: trial.rule(status)?.place,
                    expected: expected,
                    happened: happened,
                    advice:
                        "remove the rule of 'on' that treats this as a good answer: what is missing is never read"
                )
            )
        }
        if service.isEndless { return failed("endless requests") }
        return run.error == nil ? failed("the stream ended without one, as if everything had been read") : .passed
    }

    // MARK: - Credentials

    private static let refused = ConformanceScenario(name: "401, then a new token") { trial in
        guard trial.world.sendsToken else { return .absent }
        switch trial.world.tokens.kind {
        case .fixed: return .absent
        case .unknown(let reason): return .notSimulated(reason)
        case .renewed: break
        }
        let at = place(trial)
        let (run, service) = try await trial.disturbed { number, _ in
            number == at ? .init(status: 401, body: Array("{}".utf8)) : nil
        }
        let expected = "a new token after 401, the same request with it, and all records"
        func failed(_ happened: String) -> Verdict {
            let advice = "remove the rule of 'on' for 401, or make it say 'do: reauth'; check 'auth'"
            return .failed(
                Fault(
                    key: "request",
                    place: trial.rule(401)?.place,
                    expected: expected,
                    happened: happened,
                    advice: advice
                )
            )
        }
        if service.isEndless { return failed("endless requests") }
        if let error = run.error { return failed(trial.shown(error)) }
        let given = service.asked.count { $0.kind == .token }
        let renewals = given - trial.asked.count { $0.kind == .token }
        if renewals != 1 {
            return failed(renewals == 0 ? "no new token was asked for" : "\(renewals) new tokens were asked for")
        }
        let pages = service.asked.filter { $0.kind == .page }
        // Requests for other parents may be under way in the meantime.
        if !pages.dropFirst(at).contains(where: { $0.shows(SimulatedTokens.access(1 + given)) }) {
            return failed("the request came again without the new token")
        }
        return trial.difference(run).map { failed($0) } ?? .passed
    }

    private static let refusedAlways = ConformanceScenario(name: "401 again and again") { trial in
        guard trial.world.sendsCredentials else { return .absent }
        if case .unknown(let reason) = trial.world.tokens.kind { return .notSimulated(reason) }
        return try await persistent(trial, status: 401, "an error: the service refuses every credential") { _ in
            .init(status: 401, body: Array("{}".utf8))
        }
    }

    private static let secrets = ConformanceScenario(name: "no secret in output") { trial in
        let secrets = trial.world.secrets
        guard !secrets.isEmpty else { return .absent }
        let leaks = SecretWords(secrets, takesEncodings: true)
        if let record = trial.plain.records.first(where: { leaks.isMet(in: String(decoding: $0.bytes, as: UTF8.self)) })
        {
            return .failed(
                Fault(
                    key: "map",
                    expected: "records without secrets from the configuration",
                    happened: "\(trial.shown(record)) holds one, which the service did not give",
                    advice: "take it out of 'map', and out of 'vars' that it uses"
                )
            )
        }
        var told = trial.plain.output
        for status in [400, 401, 403, 429, 500] {
            let (run, _) = try await trial.disturbed { _, _ in .init(status: status, quotes: true) }
            told += run.output
        }
        guard let leak = told.first(where: { leaks.isMet(in: $0) }) else { return .passed }
        return .failed(
            Fault(
                key: "auth",
                expected: "messages without secrets where the service quotes them",
                happened: leaks.blotted(leak),
                advice: "mark the field of 'config' that holds it as 'secret: true'"
            )
        )
    }
}
