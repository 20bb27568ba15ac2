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

    /// The service's names for what is left of a quota.
    func quotaHeaders(_ keys: CheckedMapping) -> QuotaHeaders? {
        guard let node = keys["quota_headers"],
            let names = CheckedMapping(node, Tables.quotaHeaders, at: keys.location("quota_headers"), findings),
            let remaining = names.text("remaining"), let reset = names.text("reset")
        else { return nil }
        for (key, name) in [("remaining", remaining), ("reset", reset)] {
            checkHeaderName(name, at: names.location(key))
        }
        return QuotaHeaders(remaining: remaining.lowercased(), reset: reset.lowercased())
    }
}

extension HTTPSettings {
    /// Changes the limits of all requests, or of those that match.
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
