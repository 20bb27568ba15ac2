import JQ
import PlugCore

// Where the parameters of paging go, and which requests get them.
extension ManifestBuilder {
    /// `in` names a place that the request has.
    func checkPlace(
        _ page: CheckedMapping,
        _ key: String,
        _ kind: Paging.Kind,
        _ place: Paging.Place,
        _ request: Request?
    ) {
        guard page.isWritten("in") else { return }
        if !kind.hasParameter { return refuse(page, "in", key, kind) }
        guard let request else { return }
        let (isMissing, message, help) =
            switch place {
            case .query, .header: (false, "", "")
            case .json:
                (
                    request.method == .get || request.form != nil || request.text != nil || request.isGraphQL,
                    "'in: json' needs a request with a JSON body",
                    request.isGraphQL ? "write 'in: variables'" : "write 'method: POST' in 'request', and no other body"
                )
            case .form:
                (
                    request.method == .get || request.json != nil || request.text != nil,
                    "'in: form' needs a request with a form body", "write 'method: POST' and 'form' in 'request'"
                )
            case .variables:
                (!request.isGraphQL, "'in: variables' needs a GraphQL query", "write 'graphql' in 'request'")
            }
        guard isMissing else { return }
        let code: PlugError.Code = request.method == .get ? .jsonNeedsPost : .bodyMissing
        findings.error(code, message, at: page.location("in"), help: help)
    }

    /// A key of `page` that this kind has no parameter for.
    private func refuse(_ page: CheckedMapping, _ name: String, _ key: String, _ kind: Paging.Kind) {
        let isCursor = if case .cursor = kind { true } else { false }
        findings.error(
            .placeWithoutParam,
            "'\(key)' has no parameter to place",
            at: page.location(name),
            help: isCursor
                ? "add 'param' to 'cursor', or remove '\(name)'"
                : "remove it: the next page's URL is requested unchanged"
        )
    }

    /// A token without a parameter must be in a template of the request.
    func checkCursor(_ page: CheckedMapping, _ kind: Paging.Kind, _ stream: CheckedMapping, _ entry: YAMLEntry) {
        guard case .cursor(_, nil) = kind, let request = stream["request"], !Self.uses("page", in: request) else {
            return
        }
        findings.error(
            .cursorUnused,
            "nothing sends the token of 'cursor'",
            at: entry.keyLocation,
            help: "add 'param: NAME', or use {{ page.cursor }} in a template of the request"
        )
    }

    /// Whether a template somewhere in a tree mentions a root.
    private static func uses(_ root: String, in node: YAMLNode) -> Bool {
        switch node.content {
        case .scalar(let scalar): scalar.text.contains("{{") && scalar.text.contains(root)
        case .sequence(let nodes): nodes.contains { uses(root, in: $0) }
        case .mapping(let entries): entries.contains { uses(root, in: $0.value) }
        }
    }

    /// The parameters of `only_first`.
    func onlyFirst(
        _ page: CheckedMapping,
        _ key: String,
        _ kind: Paging.Kind,
        _ stream: CheckedMapping,
        _ request: Request?
    ) -> Set<String> {
        guard let nodes = page["only_first"]?.sequence else { return [] }
        switch kind {
        case .next, .link:
            refuse(page, "only_first", key, kind)
            return []
        case .number, .offset, .cursor: break
        }
        let bounds = ["send", "until"].flatMap { stream.node["since"]?[$0]?["query"]?.mapping?.map(\.key) ?? [] }
        let known = (request?.query.map(\.name) ?? []) + bounds + (stream.isWritten("since") ? ["since"] : [])
        for node in nodes {
            guard let name = node.scalar?.text, !known.contains(name) else { continue }
            findings.error(
                .wrongValue,
                "'\(MessageText.shortened(name))' is not a parameter of this stream's query",
                at: node.location,
                help: MessageText.help(for: name, in: known, called: "parameters")
            )
        }
        return Set(nodes.compactMap { $0.scalar?.text })
    }
}
