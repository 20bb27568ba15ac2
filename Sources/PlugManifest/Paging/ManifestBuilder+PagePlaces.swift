import JQ
import LosslessJSON
import PlugCore

// Where the parameters of paging go, and which requests get them.
extension ManifestBuilder {
    /// `in` must name a place that the request has.
    func checkPlace(
        _ page: CheckedMapping,
        _ key: String,
        _ kind: Paging.Kind,
        _ place: Paging.Place,
        _ request: Request?
    ) {
        guard page.isWritten("in") else { return }
        if !kind.hasParameter { return refuse(page, "in", key, kind) }
        if let request { checkPlace(place, of: request, prefix: "in: ", at: page.location("in")) }
    }

    /// Whether a request has a place for parameters; reports it if not.
    ///
    /// - Parameter prefix: What precedes the place's name in the manifest.
    func checkPlace(
        _ place: Paging.Place,
        of request: Request,
        prefix: String,
        at location: Diagnostic.Location
    ) {
        let name = "\(prefix)\(place.rawValue)"
        let (isMissing, message, help) =
            switch place {
            case .query, .header: (false, "", "")
            case .json:
                (
                    !request.takesJSON || request.isGraphQL,
                    "'\(name)' needs a request with a JSON body",
                    request.isGraphQL
                        ? "write '\(prefix)variables'" : "write 'method: POST' in 'request', and no other body"
                )
            case .form:
                (
                    request.form == nil,
                    "'\(name)' needs a request with a form body", "write 'method: POST' and 'form' in 'request'"
                )
            case .variables:
                (!request.isGraphQL, "'\(name)' needs a GraphQL query", "write 'graphql' in 'request'")
            }
        guard isMissing else { return }
        let code: PlugError.Code = request.method == .get ? .jsonNeedsPost : .bodyMissing
        findings.error(code, message, at: location, help: help)
    }

    /// Refuses a key of `page` for which this kind has no parameter.
    private func refuse(_ page: CheckedMapping, _ name: String, _ key: String, _ kind: Paging.Kind) {
        findings.error(
            .placeWithoutParam,
            "'\(key)' has no parameter to place",
            at: page.location(name),
            help: kind.sentByTemplates != nil
                ? "add 'param' to '\(kind.sentByTemplates ?? "")', or remove '\(name)'"
                : "remove it: the next page's URL is requested unchanged"
        )
    }

    /// A page's place that has no parameter must be used in a template of the request.
    func checkCursor(_ kind: Paging.Kind, _ request: Request?, _ entry: YAMLEntry) {
        guard let name = kind.sentByTemplates, let request, !request.sendsOfPage(name) else { return }
        findings.error(
            .cursorUnused,
            name == "cursor" ? "nothing sends the token of 'cursor'" : "nothing sends the page's \(name)",
            at: entry.keyLocation,
            help: "add 'param: NAME', or use {{ page.\(name) }} in a template of the request"
        )
    }

    /// The names of parameters must suit their place.
    func checkNames(_ entry: YAMLEntry, _ place: Paging.Place, _ request: Request?) {
        for key in ["param", "size_param"] {
            guard let node = entry.value[key], let name = node.scalar?.text else { continue }
            switch place {
            case .query, .form: break
            case .header: checkHeaderName(name, at: node.location)
            case .json, .variables:
                let isPath = name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
                if isPath {
                    checkBody(of: request, takes: name, in: place, at: node.location)
                    continue
                }
                findings.error(
                    .badName,
                    "'\(MessageText.shortened(name))' is not a path in the body",
                    at: node.location,
                    help: "write names with dots between them, such as filter.after"
                )
            }
        }
    }

    /// Whether something can be put into the JSON body at a path: everything on the way is a mapping, or missing.
    func checkBody(
        of request: Request?,
        takes name: String,
        in place: Paging.Place,
        at location: Diagnostic.Location
    ) {
        guard place == .json || place == .variables, let json = request?.json else { return }
        let path = (place == .variables ? ["variables"] : []) + name.split(separator: ".").map(String.init)
        guard let (steps, kind) = json.obstacle(on: path[...]) else { return }
        let what =
            steps.isEmpty ? "the JSON body" : "'\(MessageText.shortened(steps.joined(separator: ".")))' in the body"
        findings.error(
            .bodyMissing,
            "\(what) is \(kind), not a mapping: nothing can be put at '\(MessageText.shortened(name))'",
            at: location,
            help: "make it a mapping, as in 'json: {}', or write another name"
        )
    }

    /// `add_query`, if the next page's address comes from the answer.
    func addsQuery(_ page: CheckedMapping, _ key: String, _ kind: Paging.Kind) -> Bool {
        guard page.isWritten("add_query") else { return false }
        if kind.lead.isAddress { return page["add_query"]?.scalar?.text == "true" }
        findings.error(
            .placeWithoutParam,
            "'add_query' has no meaning beside '\(key)'",
            at: page.location("add_query"),
            help: "remove it: each page's request has the parameters of 'query' anyway"
        )
        return false
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
        guard kind.lead.isToken || page["add_query"]?.scalar?.text == "true" else {
            // If the list were requested differently from the second page on, its pages would be those of another list.
            findings.error(
                .placeWithoutParam,
                "'only_first' has no meaning beside '\(key)'",
                at: page.location("only_first"),
                help:
                    "remove it: only the token of a cursor, or a URL with 'add_query', stands for what the first page asked"
            )
            return []
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

extension Request {
    /// Whether a template sends the member of `page` with this name.
    func sendsOfPage(_ name: String) -> Bool {
        let templates =
            [path, text].compactMap(\.self) + (query + headers + (form ?? [])).map(\.value) + (json?.templates ?? [])
        return templates.flatMap(\.expressions).contains {
            $0.program.usedGlobals.contains("page") && $0.source.contains(name)
        }
    }
}

extension JSONTemplate {
    /// What blocks a path: the steps to it, and its kind; `nil` for nothing, or what only a run can know.
    fileprivate func obstacle(on path: ArraySlice<String>) -> (steps: [String], kind: String)? {
        guard let first = path.first else { return nil }
        switch self {
        case .template: return nil
        case .array: return ([], "a list")
        case .constant(let value):
            guard let object = value.object else { return ([], Self.kind(of: value)) }
            return object[JSONString(first)].flatMap { Self.constant($0).obstacle(on: path.dropFirst(), after: first) }
        case .object(let members):
            let member = members.last { $0.key == first }
            return member.flatMap { $0.value.obstacle(on: path.dropFirst(), after: first) }
        }
    }

    private func obstacle(on path: ArraySlice<String>, after step: String) -> (steps: [String], kind: String)? {
        obstacle(on: path).map { ([step] + $0.steps, $0.kind) }
    }

    private static func kind(of value: JSONValue) -> String {
        switch value {
        case .array: "a list"
        case .string: "a text"
        default: "a \(value.typeName)"
        }
    }

    /// The templates in it.
    fileprivate var templates: [Template] {
        switch self {
        case .constant: []
        case .template(let template): [template]
        case .array(let elements): elements.flatMap(\.templates)
        case .object(let members): members.flatMap(\.value.templates)
        }
    }
}
