/// One of the handlers of an answer that are asked in order.
///
/// Each of them gives a verdict on every answer: that of its first filter that matches, or else a success for 2xx, a failure for 400,
/// 401, 403, 404 and 405, a rate limit for 429, and a retry for all others (`DEFAULT_ERROR_MAPPING` of the original engine). The first
/// verdict that is neither a failure nor a rate limit counts, or else that of the last handler (`CompositeErrorHandler`).
struct ErrorHandler {
    /// All statuses of answers.
    static let statuses = Set(200..<600)
    /// Statuses that a handler without a filter for them leaves to the next one.
    private static let left: Set = [400, 401, 403, 404, 405, 429]

    private(set) var filters: [ErrorFilter] = []
    /// How long to wait before the next try; `nil` for the default.
    let wait: PlugYAML?

    init(_ handler: Component, _ scope: JinjaScope, wait: PlugYAML?) throws(Unsayable) {
        self.wait = wait
        for filter in try handler.list("response_filters") {
            do throws(Unsayable) { filters.append(try ErrorFilter(filter, scope)) } catch {
                throw Unsayable(error.reason, line: error.line ?? filter.line)
            }
        }
    }

    /// Whether no answer with this status reaches the next handler.
    func settles(_ status: Int) -> Bool {
        filters.first { $0.codes.contains(status) }?.isDecisive ?? !Self.left.contains(status)
    }

    /// The statuses that filters before one let fail.
    func codesThatFail(before index: Int) -> Set<Int> {
        Set(filters[..<index].filter { !$0.isDecisive }.flatMap(\.codes))
    }
}

/// A filter of a handler: what an answer must be, and what becomes of it.
struct ErrorFilter {
    let line: Int
    /// It matches answers with one of these statuses, or for which one of the conditions holds.
    private(set) var codes: [Int] = []
    private(set) var conditions: [String] = []
    let action: String
    /// The kind of failure.
    let failure: String?
    /// The message, if it is a constant.
    let message: String?

    init(_ filter: Component, _ scope: JinjaScope) throws(Unsayable) {
        line = filter.line
        action = (try filter.member("action"))?.text ?? "FAIL"
        failure = (try filter.member("failure_type"))?.text
        message = try filter.member("error_message")?.text.flatMap { $0.contains("{") ? nil : Self.line($0) }
        for code in try filter.list("http_codes") {
            guard let number = code.integer else { throw Unsayable("a status that is not a number has no counterpart") }
            codes.append(number)
        }
        if let text = try filter.member("predicate")?.text, !text.isEmpty {
            conditions.append(try JinjaTemplate(text, scope.at(.answer)).condition())
        }
        if let text = try filter.member("error_message_contains")?.text, !text.isEmpty {
            // It is no template.
            conditions.append("\(Self.errorMessage) | contains(\(JQText.string(text)))")
        }
    }

    /// Whether no other handler is asked.
    var isDecisive: Bool { ["SUCCESS", "IGNORE", "RETRY", "RESET_PAGINATION"].contains(action) }

    /// What a rule does.
    var verb: String {
        get throws(Unsayable) {
            switch action {
            case "SUCCESS", "IGNORE": return "ok"
            case "FAIL": return "fail"
            case "RETRY": return "retry"
            case "RATE_LIMITED": return "limit"
            case "RESET_PAGINATION": return "reset_page"
            case "REFRESH_TOKEN_THEN_RETRY": return "reauth"
            default: throw Unsayable("the action '\(action)' has no counterpart")
            }
        }
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
}

extension [ErrorHandler] {
    /// Whether an answer that a filter lets fail could otherwise get another verdict: from a filter behind it, or from a handler that
    /// such answers do not reach without it.
    func decide(behind filter: Int, of handler: Int) -> Bool {
        if self[handler].filters[(filter + 1)...].contains(where: \.isDecisive) { return true }
        return self[(handler + 1)...].flatMap(\.filters).contains {
            $0.isDecisive && (!$0.conditions.isEmpty || $0.codes.contains(where: self[handler].settles))
        }
    }
}
