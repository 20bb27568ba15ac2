import PlugCore

extension ManifestBuilder {
    /// The rules of an `on` that were read completely, in file order.
    func rules(_ keys: CheckedMapping) -> [StatusRule] { (keys["on"]?.sequence ?? []).compactMap(rule) }

    private func rule(_ node: YAMLNode) -> StatusRule? {
        guard let keys = CheckedMapping(node, Tables.rule, at: node.location, findings) else { return nil }
        let nodes = keys["status"].map { $0.sequence ?? [$0] } ?? []
        let ranges = nodes.compactMap(status)
        let scope = ProgramScope.answers(.answer, hasParent: false)
        let condition = program(keys["if"], scope)
        let wait = wait(keys, scope)
        guard ranges.count == nodes.count, let action = keys.text("do").flatMap(StatusRule.Action.init(rawValue:))
        else {
            return nil
        }
        checkUse(keys, action)
        let place = keys.location("if")
        return StatusRule(
            status: StatusMatch(ranges: ranges),
            condition: condition,
            action: action,
            wait: wait,
            failure: keys.text("as").flatMap(StatusRule.Failure.init(rawValue:)) ?? .refused,
            message: keys.text("message"),
            place: "\(path):\(place.line):\(place.column)"
        )
    }

    private func wait(_ keys: CheckedMapping, _ scope: ProgramScope) -> StatusRule.Wait? {
        guard let text = keys.text("wait") else { return nil }
        let place = keys.location("wait")
        guard let duration = HumanDuration.parse(text) else {
            return program(keys["wait"], scope).map {
                .program($0, place: "\(path):\(place.line):\(place.column)")
            }
        }
        if duration > .zero, duration <= .seconds(86_400) { return .fixed(duration) }
        findings.error(
            .badDuration,
            "'wait' must be longer than zero and at most a day",
            at: keys["wait"]?.location ?? place,
            help: "write a duration such as 30s or 1h"
        )
        return nil
    }

    /// A key that the rule's action does not use is a mistake.
    private func checkUse(_ keys: CheckedMapping, _ action: StatusRule.Action) {
        let uses: [(key: String, actions: [StatusRule.Action])] = [
            ("wait", [.retry, .limit, .ok, .skip]), ("as", [.fail]),
            ("message", [.fail, .retry, .limit, .shrink, .resetPage]),
        ]
        for (key, actions) in uses where keys.isWritten(key) && !actions.contains(action) {
            let words = MessageText.list(actions.map { "'do: \($0.rawValue)'" }, conjunction: "or")
            findings.error(
                .ruleKey,
                "'do: \(action.rawValue)' does not use '\(key)'",
                at: keys.location(key),
                help: "'\(key)' belongs to \(words)"
            )
        }
    }

    func status(_ node: YAMLNode) -> ClosedRange<Int>? {
        let text = node.scalar?.text ?? ""
        if let code = Int(text), (100...599).contains(code) { return code...code }
        if text.count == 3, text.hasSuffix("xx"), let digit = Int(text.prefix(1)), (1...5).contains(digit) {
            return digit * 100...digit * 100 + 99
        }
        let help = "write a status from 100 to 599, or a class such as 5xx"
        findings.error(.badStatus, "'\(MessageText.shortened(text))' is not a status", at: node.location, help: help)
        return nil
    }
}
