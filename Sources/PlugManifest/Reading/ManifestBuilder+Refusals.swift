import PlugCore

// Rules for requests that a service refuses as too large: they need something that can be made smaller.
extension ManifestBuilder {
    /// A rule that asks for smaller pages needs a size to send, and one that continues with a new search a bound to send.
    func checkRefusals(
        _ keys: CheckedMapping,
        of stream: String,
        _ paging: Paging?,
        _ since: Since?,
        _ request: Request?
    ) {
        for node in keys["on"]?.sequence ?? [] {
            if paging?.sendsSize != true, let action = Self.action(.shrink, of: node) {
                let message = "'do: shrink' asks for smaller pages, and the stream '\(stream)' sends no page size"
                findings.error(.shrinkNeedsSize, message, at: action.location, help: Self.sizeHelp)
            }
            if !["since", "page", "swift"].contains(where: keys.isWritten), let action = Self.action(.reread, of: node)
            {
                let message =
                    "'do: reread' forgets a saved position, and the stream '\(stream)' has neither 'since' nor 'page'"
                findings.error(.rereadNeedsSince, message, at: action.location, help: Self.rereadHelp)
            }
            // An invalid 'since' or request says nothing about what would be sent.
            guard let action = Self.action(.resetPage, of: node), since != nil || !keys.isWritten("since"), let request
            else { continue }
            guard let (reason, help) = Self.obstacle(to: since, request, hasPages: keys.isWritten("page")) else {
                continue
            }
            let message = "'do: reset_page' continues from the last record's value, \(reason)"
            findings.error(.resetNeedsBound, message, at: action.location, help: help)
        }
    }

    /// The same for rules of `http`, which must suit at least one stream.
    func checkRefusals(_ http: YAMLNode?, _ streams: [Stream]) {
        for node in http?["on"]?.sequence ?? [] {
            if let action = Self.action(.shrink, of: node), !streams.contains(where: { $0.paging?.sendsSize == true }) {
                let message = "'do: shrink' asks for smaller pages, and no stream sends a page size"
                findings.error(.shrinkNeedsSize, message, at: action.location, help: Self.sizeHelp)
            }
            if let action = Self.action(.reread, of: node),
                !streams.contains(where: { $0.since != nil || $0.paging != nil || $0.module != nil })
            {
                let message = "'do: reread' forgets a saved position, and no stream has 'since' or 'page'"
                findings.error(.rereadNeedsSince, message, at: action.location, help: Self.rereadHelp)
            }
            if let action = Self.action(.resetPage, of: node), !streams.contains(where: Self.canReset) {
                let message =
                    "'do: reset_page' continues from the last record's value, and no stream can be asked for that"
                let help =
                    "give a stream 'since' with 'send' and 'order: asc', with 'until' and 'order: desc', or with 'window'"
                findings.error(.resetNeedsBound, message, at: action.location, help: help)
            }
        }
    }

    /// The stream, marked if its searches continue from new bounds.
    func resetting(_ stream: Stream, _ http: HTTPSettings?) -> Stream {
        guard var since = stream.since else { return stream }
        let isRuled = (stream.rules + (http?.rules ?? [])).contains { $0.action == .resetPage }
        since.resetsPages = isRuled && Self.canReset(stream)
        return stream.replacing(since: since)
    }

    private static func canReset(_ stream: Stream) -> Bool {
        guard let request = stream.request else { return false }
        return obstacle(to: stream.since, request, hasPages: stream.paging != nil) == nil
    }

    /// Why no search can continue from a new bound, and what helps; `nil` if one can.
    private static func obstacle(to since: Since?, _ request: Request, hasPages: Bool) -> (String, help: String)? {
        guard let since else {
            return ("and the stream has no 'since'", "add 'since', with the bounds that the service takes")
        }
        if since.type == .opaque {
            return ("and nobody knows which of two opaque values is later", "remove the rule: it needs an order")
        }
        let (bounds, key, root) =
            since.order == .ascending ? (since.send, "send", "since") : (since.until, "until", "until")
        if since.order == .none {
            if since.window != nil { return nil }
            let help = "add 'window', which is halved until it fits, or 'order: asc' if the service promises that order"
            return ("which needs 'order: asc' or 'order: desc', or a 'window' to narrow", help)
        }
        if bounds.isEmpty, !request.usedRoots.contains(root) {
            let help = "write '\(key): {query: {…}}', or use {{ \(root) }} in 'request'"
            return ("and with 'order: \(since.order.rawValue)' that is sent with '\(key)'", help)
        }
        return hasPages ? nil : ("and a stream without 'page' has no second page", "remove the rule, or add 'page'")
    }

    private static let rereadHelp = "remove the rule: a stream of one page reads everything in each pass"
    private static let sizeHelp =
        "write 'size' and 'size_param' in 'number', 'offset' or 'cursor', or {{ page.size }} in the request"

    private static func action(_ action: StatusRule.Action, of rule: YAMLNode) -> YAMLNode? {
        rule["do"].flatMap { $0.scalar?.text == action.rawValue ? $0 : nil }
    }
}
