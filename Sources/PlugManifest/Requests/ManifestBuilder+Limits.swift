import PlugCore

extension ManifestBuilder {
    /// Reads one of `http.limits` into the settings.
    func limit(_ node: YAMLNode, _ settings: inout HTTPSettings) {
        guard let keys = CheckedMapping(node, Tables.limit, at: node.location, findings),
            let kind = keys.kind(of: Tables.limit, findings)
        else { return }
        let match = match(keys)
        if keys.isWritten("match"), match == nil { return }
        if kind.key == "concurrency" {
            if keys.isWritten("burst") {
                let place = keys.location("burst")
                findings.error(.burstWithoutRate, "'burst' needs a rate", at: place, help: "remove it")
            }
            let concurrency = keys.integer("concurrency") ?? .max
            settings.change(match) {
                $0 = min($0 ?? .max, concurrency)
            } rates: { _ in
            }
        } else if var rate = keys.text("rate").flatMap(RateLimit.init(parsing:)) {
            rate.burst = keys.integer("burst")
            if let burst = rate.burst, burst > rate.count {
                findings.error(
                    .outOfRange,
                    "the burst is larger than the rate",
                    at: keys.location("burst"),
                    help: "a burst is at most the count of the rate, \(rate.count)"
                )
            }
            settings.change(match) { _ in
            } rates: {
                $0.append(rate)
            }
        }
    }

    private func match(_ keys: CheckedMapping) -> RequestMatch? {
        guard let node = keys["match"], let text = node.scalar?.text else { return nil }
        if let match = RequestMatch(text) { return match }
        findings.error(
            .badMatch,
            "'\(MessageText.shortened(text))' is not a path",
            at: node.location,
            help: "write the beginning of a path, such as /search or /users/*/events"
        )
        return nil
    }

    /// The service's names for the headers of a quota.
    func quotaHeaders(_ keys: CheckedMapping) -> QuotaHeaders? {
        guard let node = keys["quota_headers"],
            let names = CheckedMapping(node, Tables.quotaHeaders, at: keys.location("quota_headers"), findings),
            let kind = names.kind(of: Tables.quotaHeaders, findings), let name = kind.value.scalar?.text
        else { return nil }
        for key in ["remaining", "used", "limit", "reset"] {
            if let name = names.text(key) { checkHeaderName(name, at: names.location(key)) }
        }
        let nodes = (names["periods"]?.sequence ?? []) + [names["wait"]].compactMap(\.self)
        for node in nodes where node.scalar.flatMap({ HumanDuration.parse($0.text) }) ?? .zero > .seconds(86_400) {
            let message = "a wait for a quota is at most a day"
            findings.error(.badDuration, message, at: node.location, help: "write 1d or less")
        }
        if let node = names["periods"], node.sequence?.isEmpty == true {
            let help = "write how long each quota lasts, as in [15m, 1d]"
            findings.error(.wrongValue, "'periods' is empty", at: node.location, help: help)
        }
        return QuotaHeaders(
            counter: kind.key == "used"
                ? .used(name.lowercased(), limit: names.text("limit")?.lowercased()) : .remaining(name.lowercased()),
            reset: names.text("reset")?.lowercased(),
            wait: names.duration("wait") ?? QuotaHeaders.defaultWait,
            periods: (names["periods"]?.sequence ?? []).compactMap {
                $0.scalar.flatMap { HumanDuration.parse($0.text) }
            }
        )
    }
}

extension HTTPSettings {
    /// Changes the limits for all requests, or for those that match.
    fileprivate mutating func change(
        _ match: RequestMatch?,
        concurrency: (inout Int?) -> Void,
        rates: (inout [RateLimit]) -> Void
    ) {
        guard let match else {
            concurrency(&self.concurrency)
            return rates(&limits)
        }
        if !matchedLimits.contains(where: { $0.match == match }) {
            matchedLimits.append(MatchedLimit(match: match, rates: [], concurrency: nil))
        }
        for index in matchedLimits.indices where matchedLimits[index].match == match {
            concurrency(&matchedLimits[index].concurrency)
            rates(&matchedLimits[index].rates)
        }
    }
}
