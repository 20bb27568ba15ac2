/// Error handlers as rules of `on`.
struct AirbyteRules {
    let scope: JinjaScope
    private(set) var rules: [PlugYAML] = []
    /// The number of tries for a request.
    private(set) var tries: Int?

    init(scope: JinjaScope) { self.scope = scope }

    mutating func read(_ handler: Component?) throws(Unsayable) { try read(handler, .whole) }

    private mutating func read(_ handler: Component?, _ place: Place) throws(Unsayable) {
        guard let handler else { return }
        switch handler.type {
        case "CompositeErrorHandler":
            let handlers = try handler.member("error_handlers")?.elements ?? []
            for (index, inner) in handlers.enumerated() {
                try read(inner, handlers.count == 1 ? place : index == 0 ? .first : .following)
            }
        case "DefaultErrorHandler", nil:
            do throws(Unsayable) { try one(handler, place) } catch {
                throw Unsayable(error.reason, line: error.line ?? handler.line)
            }
        case let type?: throw Unsayable("the error handler '\(type)' has no counterpart", line: handler.line)
        }
    }

    /// The position of a handler in a list that is evaluated in order.
    ///
    /// Each of them treats a 2xx answer as a success unless one of its own filters says otherwise, and the first verdict that is
    /// not a failure counts.
    private enum Place {
        case whole
        case first
        case following

        func judgesSuccess(_ verb: String) -> Bool {
            switch self {
            case .whole: true
            case .first: ["ok", "skip", "retry", "reset_page"].contains(verb)
            case .following: false
            }
        }
    }

    private mutating func one(_ handler: Component, _ place: Place) throws(Unsayable) {
        if let retries = try handler.member("max_retries")?.integer { tries = max(tries ?? 0, retries + 1) }
        let wait = try wait(try handler.member("backoff_strategies")?.elements ?? [])
        for filter in try handler.member("response_filters")?.elements ?? [] {
            do throws(Unsayable) { try rule(filter, wait, place) } catch {
                throw Unsayable(error.reason, line: error.line ?? filter.line)
            }
        }
        guard let wait else { return }
        // Answers that are retried anyway wait just as long.
        rules.append(.members(("status", .plain("429")), ("do", .text("limit")), ("wait", wait)))
        rules.append(.members(("status", .plain("5xx")), ("do", .text("retry")), ("wait", wait)))
    }

    private mutating func rule(_ filter: Component, _ wait: PlugYAML?, _ place: Place) throws(Unsayable) {
        var codes: [Int] = []
        for code in try filter.member("http_codes")?.elements ?? [] {
            guard let number = code.integer else { throw Unsayable("a status that is not a number has no counterpart") }
            codes.append(number)
        }
        var conditions: [String] = []
        if let text = try filter.member("predicate")?.text, !text.isEmpty {
            conditions.append(try JinjaTemplate(text, scope.at(.answer)).condition())
        }
        if let text = try filter.member("error_message_contains")?.text, !text.isEmpty {
            let words = try JinjaTemplate(text, scope.at(.answer)).program()
            conditions.append("\(Self.errorMessage) | contains(\(words.text))")
        }
        let action = (try filter.member("action"))?.text ?? "FAIL"
        let failure = (try filter.member("failure_type"))?.text
        let verb: String
        switch action {
        case "SUCCESS", "IGNORE": verb = "ok"
        case "FAIL": verb = "fail"
        case "RETRY": verb = "retry"
        case "RATE_LIMITED": verb = "limit"
        case "RESET_PAGINATION": verb = "reset_page"
        case "REFRESH_TOKEN_THEN_RETRY": verb = "reauth"
        default: throw Unsayable("the action '\(action)' has no counterpart")
        }
        // It holds if the status or one of the conditions does: each is a separate rule.
        var cases: [(codes: [PlugYAML], condition: String?, verb: String)] = []
        func add(_ codes: [PlugYAML], _ condition: String?, _ verb: String) {
            if !codes.isEmpty { cases.append((codes, condition, verb)) }
        }
        // A success, or an answer to ignore, is read if its status is a success, and otherwise has no records.
        let isRead = action == "IGNORE" || action == "SUCCESS"
        add(codes.filter { isRead && $0 < 400 }.map(PlugYAML.integer), nil, "ok")
        add(codes.filter { !isRead || $0 >= 400 }.map(PlugYAML.integer), nil, isRead ? "skip" : verb)
        let failures: [PlugYAML] = [.plain("4xx"), .plain("5xx")]
        for condition in conditions {
            let judges = place.judgesSuccess(verb)
            if isRead, judges { add([.plain("2xx")], condition, "ok") }
            add((judges && !isRead ? [.plain("2xx")] : []) + failures, condition, isRead ? "skip" : verb)
        }
        let kinds = ["config_error": "configuration", "transient_error": "later"]
        let message = try filter.member("error_message")?.text.flatMap { $0.contains("{") ? nil : $0 }
        rules.append(
            contentsOf: cases.map { codes, condition, verb in
                PlugYAML.members(
                    ("status", codes.count == 1 ? codes[0] : .list(codes)),
                    ("if", condition.map(PlugYAML.program)),
                    ("do", .text(verb)),
                    ("as", verb == "fail" ? failure.flatMap { kinds[$0] }.map(PlugYAML.text) : nil),
                    ("wait", verb == "retry" || verb == "limit" ? wait : nil),
                    ("message", ["fail", "retry", "limit"].contains(verb) ? message.map { .text(Self.line($0)) } : nil)
                )
            }
        )
    }

    /// The text of an error in a body, where services usually put it: that of the first member that has one.
    private static let errorMessage: String = {
        let members = [
            "message", "messages", "error", "errors", "failures", "failure", "detail", "err", "error_message", "msg",
            "reason", "status_message",
        ]
        let named = members.map { ".\($0)" }.joined(separator: ", ")
        return
            "def said: if type == \"object\" then [\(named)] | map(select(IN(null, false, 0, \"\", [], {}) | not)) | first | said "
            + "elif type == \"array\" then map(said | strings) | join(\", \") elif type == \"string\" then . else null end; "
            + "said // \"\""
    }()

    private static func line(_ text: String) -> String {
        let words = text.split { $0.isNewline || $0 == " " }.joined(separator: " ")
        return words.count > 200 ? String(words.prefix(197)) + "…" : words
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
