/// Error handlers as rules of `on`.
struct AirbyteRules {
    let scope: JinjaScope
    private(set) var rules: [PlugYAML] = []
    /// The number of tries for a request.
    private(set) var tries: Int?

    init(scope: JinjaScope) { self.scope = scope }

    mutating func read(_ handler: Component?) throws(Unsayable) {
        guard let handler else { return }
        let handlers = try self.handlers(handler)
        // The strategies of all handlers count for each of them.
        let wait = handlers.lazy.compactMap(\.wait).first
        var open: Set<Int>?
        for (index, handler) in handlers.enumerated() {
            let isLast = index == handlers.count - 1
            for (at, filter) in handler.filters.enumerated() {
                if isLast || filter.isDecisive {
                    let shadowed = isLast ? [] : handler.codesThatFail(before: at)
                    do throws(Unsayable) { try add(filter, wait, open, shadowed) } catch {
                        throw Unsayable(error.reason, line: error.line ?? filter.line)
                    }
                } else if !filter.conditions.isEmpty, handlers.decide(behind: at, of: index) {
                    throw Unsayable(
                        "a condition that fails in one of several error handlers has no counterpart",
                        line: filter.line
                    )
                }
            }
            open = (open ?? ErrorHandler.statuses).filter { !handler.settles($0) }
        }
        addFailures(handlers, wait, open ?? [])
        guard let wait else { return }
        // Answers that are retried anyway wait just as long.
        rules.append(.members(("status", .plain("429")), ("do", .text("limit")), ("wait", wait)))
        rules.append(.members(("status", .plain("5xx")), ("do", .text("retry")), ("wait", wait)))
    }

    /// The handlers in order; those within one another are asked in the same order.
    private mutating func handlers(_ handler: Component) throws(Unsayable) -> [ErrorHandler] {
        switch handler.type {
        case "CompositeErrorHandler":
            var all: [ErrorHandler] = []
            for inner in try handler.list("error_handlers") { all += try handlers(inner) }
            return all
        case "DefaultErrorHandler", nil:
            do throws(Unsayable) {
                if let retries = try handler.member("max_retries")?.integer { tries = max(tries ?? 0, retries + 1) }
                return [
                    try ErrorHandler(handler, scope, wait: wait(handler.list("backoff_strategies")))
                ]
            } catch { throw Unsayable(error.reason, line: error.line ?? handler.line) }
        case let type?: throw Unsayable("the error handler '\(type)' has no counterpart", line: handler.line)
        }
    }

    /// A filter as rules.
    ///
    /// - Parameters:
    ///   - open: The statuses that reach its handler; `nil` for all.
    ///   - shadowed: Those that an earlier filter of its handler takes.
    private mutating func add(
        _ filter: ErrorFilter,
        _ wait: PlugYAML?,
        _ open: Set<Int>?,
        _ shadowed: Set<Int>
    ) throws(Unsayable) {
        let verb = try filter.verb
        // A success, or an answer to ignore, is read if its status is a success, and otherwise has no records.
        let isRead = verb == "ok"
        let codes = filter.codes.filter { !shadowed.contains($0) && open?.contains($0) != false }
        append(codes.filter { isRead && $0 < 400 }.map(PlugYAML.integer), nil, "ok", filter, wait)
        append(codes.filter { !isRead || $0 >= 400 }.map(PlugYAML.integer), nil, isRead ? "skip" : verb, filter, wait)
        // It holds if the status or one of the conditions does: each is a separate rule.
        for condition in filter.conditions {
            guard shadowed.isEmpty else {
                throw Unsayable(
                    "a condition behind a status that fails, in one of several error handlers, has no counterpart"
                )
            }
            guard let open else {
                if isRead { append([.plain("2xx")], condition, "ok", filter, wait) }
                let failures: [PlugYAML] = [.plain("4xx"), .plain("5xx")]
                append((isRead ? [] : [.plain("2xx")]) + failures, condition, isRead ? "skip" : verb, filter, wait)
                continue
            }
            append(open.sorted().map(PlugYAML.integer), condition, isRead ? "skip" : verb, filter, wait)
        }
    }

    /// The failures of handlers before the last one: they only count where the last one fails in the same way, but have messages.
    private mutating func addFailures(_ handlers: [ErrorHandler], _ wait: PlugYAML?, _ unsettled: Set<Int>) {
        guard let last = handlers.last else { return }
        for handler in handlers.dropLast() {
            for filter in handler.filters where !filter.isDecisive {
                let codes = filter.codes.filter { code in
                    unsettled.contains(code) && !last.filters.contains { $0.codes.contains(code) }
                        && filter.action == (code == 429 ? "RATE_LIMITED" : "FAIL")
                }
                append(codes.map(PlugYAML.integer), nil, filter.action == "FAIL" ? "fail" : "limit", filter, wait)
            }
        }
    }

    private mutating func append(
        _ codes: [PlugYAML],
        _ condition: String?,
        _ verb: String,
        _ filter: ErrorFilter,
        _ wait: PlugYAML?
    ) {
        guard !codes.isEmpty else { return }
        let kinds = ["config_error": "configuration", "transient_error": "later"]
        rules.append(
            PlugYAML.members(
                ("status", codes.count == 1 ? codes[0] : .list(codes)),
                ("if", condition.map(PlugYAML.program)),
                ("do", .text(verb)),
                ("as", verb == "fail" ? filter.failure.flatMap { kinds[$0] }.map(PlugYAML.text) : nil),
                ("wait", verb == "retry" || verb == "limit" ? wait : nil),
                ("message", ["fail", "retry", "limit"].contains(verb) ? filter.message.map(PlugYAML.text) : nil)
            )
        )
    }

    /// How long to wait, if the manifest says so; increasing waits are the default here.
    private func wait(_ strategies: [Component]) throws(Unsayable) -> PlugYAML? {
        for strategy in strategies {
            switch strategy.type {
            case "ExponentialBackoffStrategy": continue
            case "ConstantBackoffStrategy":
                guard let text = try strategy.member("backoff_time_in_seconds")?.text, let seconds = Double(text) else {
                    throw Unsayable("a wait that is a setting has no counterpart", line: strategy.line)
                }
                if seconds <= 0 { continue }
                return .plain("\(Int(max(1, min(86_400, seconds.rounded(.up)))))s")
            case "WaitTimeFromHeader", "WaitUntilTimeFromHeader":
                guard let name = try strategy.member("header")?.text else { continue }
                if name.lowercased() == "retry-after" { continue }
                if try strategy.member("regex") != nil {
                    throw Unsayable("a part of a header as a wait has no counterpart", line: strategy.line)
                }
                return .program("headers[\(JQText.string(name.lowercased()))]")
            case let type: throw Unsayable("the wait '\(type ?? "")' has no counterpart", line: strategy.line)
            }
        }
        return nil
    }
}
