import JQ
import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// How the stream is read incrementally; `nil` if it is not, or if that is invalid.
    ///
    /// - Parameters:
    ///   - templates: The scope of the request's templates.
    ///   - request: The request, which must have a place for the bounds; `nil` if it is invalid.
    func since(
        _ keys: CheckedMapping,
        _ records: ProgramScope,
        _ templates: ProgramScope,
        _ request: Request?
    ) -> Since? {
        guard let node = keys["since"],
            let since = CheckedMapping(node, Tables.since, at: keys.location("since"), findings)
        else {
            return nil
        }
        let nodes = since["field"].map { $0.sequence ?? [$0] } ?? []
        let fields = nodes.compactMap { program($0, records) }
        let roots = templates.available.subtracting(["page", "since", "until", "pass"])
        let from = template(
            since["from"],
            ProgramScope(
                available: roots,
                globals: templates.globals,
                place: "'since.from'",
                seesSecrets: true
            )
        )
        let to = template(
            since["to"],
            ProgramScope(
                available: roots,
                globals: templates.globals,
                place: "'since.to'",
                seesSecrets: false
            )
        )
        let type = since.text("type").flatMap(Since.Kind.init(rawValue:))
        let send = bounds(since, "send", type, request)
        let until = bounds(since, "until", type, request)
        /// The scope of templates for lengths.
        func lengths(_ key: String) -> ProgramScope {
            ProgramScope(
                available: roots.intersection(["config", "vars"]),
                globals: templates.globals,
                place: "'since.\(key)'",
                seesSecrets: false
            )
        }
        let overlapLength = lengthTemplate(since["overlap"], lengths("overlap"), type)
        let overlap = overlapLength == nil ? overlap(since, type) : nil
        let settle = settle(since, type)
        let window = window(since, lengths("window"), type, send, until, request)
        let order = since.text("order").flatMap(Since.Order.init(rawValue:)) ?? .none
        checkStop(since, type, order)
        let filters = filters(since, type)
        if nodes.isEmpty, let node = since["field"] {
            findings.error(
                .badSince,
                "'field' names no field",
                at: node.location,
                help: "name one, such as .updated_at"
            )
        }
        guard !nodes.isEmpty, fields.count == nodes.count, let type else { return nil }
        checkBound(from, type)
        checkEnd(to, type, isSent: !until.isEmpty || window != nil, request)
        return Since(
            fields: fields,
            type: type,
            from: from,
            to: to,
            send: send,
            until: until,
            overlap: overlap,
            overlapLength: overlapLength,
            settle: settle,
            window: window,
            order: order,
            stopsAtKnown: since.isWritten("stop"),
            filters: filters,
            step: Self.step(type, until)
        )
    }

    /// An end is a time, and requests have to send it: anything the service returns after it would be read in every pass.
    private func checkEnd(_ to: Template?, _ type: Since.Kind, isSent: Bool, _ request: Request?) {
        guard let to else { return }
        guard type.isTime else {
            findings.error(
                .badSince,
                "a value of the type \(type.rawValue) is not a time, and 'to' ends a pass at a time",
                at: to.location,
                help: "remove it, or write 'type: epoch' for numbers that are times"
            )
            return
        }
        checkBound(to, type)
        guard !isSent, let request, !request.usedRoots.contains("until") else { return }
        findings.error(
            .badSince,
            "'to' ends a pass, but the requests do not say where it ends",
            at: to.location,
            help: "add until: {query: {to: date}}, or use {{ until }} in 'request'"
        )
    }

    /// A bound that is given in the manifest can be checked now.
    private func checkBound(_ from: Template?, _ type: Since.Kind) {
        guard let from, from.isConstant else { return }
        let isFit =
            switch type {
            case .time, .date, .epoch, .epochMilliseconds:
                Timestamp(from.source) != nil || Timestamp(epoch: from.source) != nil
            case .integer: JSONNumber(from.source)?.int64 != nil
            case .opaque: true
            }
        if isFit { return }
        findings.error(
            .badSince,
            "'\(MessageText.shortened(from.source))' is not a value of the type \(type.rawValue)",
            at: from.location,
            help: "write a value such as \(type == .integer ? "1000" : "2020-01-01")"
        )
    }

    private func overlap(_ since: CheckedMapping, _ type: Since.Kind?) -> Since.Step? {
        guard let node = since["overlap"], let type else { return nil }
        switch type {
        case .opaque:
            let help = "remove it: nothing can be subtracted from an opaque value"
            findings.error(.badOverlap, "an opaque value has no overlap", at: node.location, help: help)
            return nil
        case .integer:
            if let number = node.scalar?.number, number.int64.map({ $0 >= 0 }) == true { return .number(number) }
            findings.error(
                .badOverlap,
                "the overlap of an integer is a whole number",
                at: node.location,
                help: "write 100"
            )
            return nil
        default: return isTemplate(node) ? nil : duration(node).map { .duration($0) }
        }
    }

    /// A length of time from a template; `nil` if none is written, or it is invalid.
    func lengthTemplate(_ node: YAMLNode?, _ scope: ProgramScope, _ type: Since.Kind?) -> Template? {
        guard let node, isTemplate(node), type?.isTime == true else { return nil }
        return template(node, scope)
    }

    /// Whether a length is written as a template.
    func isTemplate(_ node: YAMLNode) -> Bool { node.scalar?.text.contains("{{") == true }

    /// A duration; reports text that is not one.
    func duration(_ node: YAMLNode, microseconds: Bool = false) -> Duration? {
        let text = node.scalar?.text ?? ""
        if let duration = HumanDuration.parse(text) { return duration }
        if microseconds, text.hasSuffix("us"), let count = Int64(text.dropLast(2)), (1..<1_000_000).contains(count) {
            return .microseconds(count)
        }
        let help = "write a number and a unit: 30s, 15m, 1h or 7d"
        findings.error(
            .badDuration,
            "'\(MessageText.shortened(text))' is not a duration",
            at: node.location,
            help: help
        )
        return nil
    }

    private func settle(_ since: CheckedMapping, _ type: Since.Kind?) -> Duration {
        guard let node = since["settle"], let type else { return .zero }
        if type == .integer || type == .opaque {
            let message = "a value of the type \(type.rawValue) is not a time, and nothing has to settle"
            findings.error(
                .badSettle,
                message,
                at: node.location,
                help: "remove it, or write 'type: epoch' for numbers that are times"
            )
            return .zero
        }
        return node.scalar.flatMap { HumanDuration.parse($0.text) } ?? .zero
    }

    private func checkStop(_ since: CheckedMapping, _ type: Since.Kind?, _ order: Since.Order) {
        guard let node = since["stop"] else { return }
        if type == .opaque {
            let help = "remove it: opaque values have no order"
            findings.error(.stopNeedsOrder, "opaque values do not show what is known", at: node.location, help: help)
        }
        if order == .descending { return }
        let help = "write 'order: desc' if the service promises the newest records first; remove 'stop' otherwise"
        findings.error(.stopNeedsOrder, "'stop: known' needs 'order: desc'", at: node.location, help: help)
    }

    private func filters(_ since: CheckedMapping, _ type: Since.Kind?) -> Bool {
        guard let node = since["filter"], node.scalar?.bool == true else { return false }
        guard type == .opaque else { return true }
        let help = "remove it: opaque values have no order"
        findings.error(.badFilter, "opaque values have no order to filter by", at: node.location, help: help)
        return false
    }
}
