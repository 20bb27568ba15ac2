import JQ
import LosslessJSON
import PlugCore

extension ManifestBuilder {
    /// The request for a page; `nil` if it is invalid.
    func request(_ keys: CheckedMapping, _ scope: ProgramScope, hosts: [HostPattern], hasBase: Bool) -> Request? {
        guard let node = keys["request"],
            let request = CheckedMapping(node, Tables.request, at: keys.location("request"), findings)
        else { return nil }
        let isGraphQL = request.isWritten("graphql")
        let method = request.text("method").flatMap(Request.Method.init(rawValue:)) ?? (isGraphQL ? .post : .get)
        let path = template(request["path"], scope)
        if let path { checkPath(path, hosts, hasBase) }
        let query = templates(request["query"], scope)
        let headers = headers(request["headers"], scope)
        let json = request["json"].flatMap { jsonTemplate($0, scope) } ?? graphQL(request, scope)
        let form = request["form"].map { templates($0, scope) }
        let text = template(request["text"], scope)
        checkMethod(request, method)
        guard let path else { return nil }
        return Request(
            method: method,
            path: path,
            query: query,
            headers: headers,
            arrays: request.text("arrays").flatMap(Request.ArrayStyle.init(rawValue:)) ?? .repeat,
            json: json,
            form: form,
            text: text,
            isGraphQL: isGraphQL
        )
    }

    /// A body needs an explicit method: few services read the body of a GET (RFC 9110, 9.3.1), so a missing method is more likely
    /// a forgotten POST.
    private func checkMethod(_ request: CheckedMapping, _ method: Request.Method) {
        guard method == .get else { return }
        // A misspelt method is one mistake, not two.
        let keys = request.isWritten("method") ? [] : ["json", "form", "text"]
        for key in keys where request.isWritten(key) {
            findings.error(
                .jsonNeedsPost,
                "a request with a body needs a method",
                at: request.location(key),
                help: "write 'method: POST', or 'method: GET' if the service reads the body of a GET request"
            )
        }
        if request["method"] != nil, request.isWritten("graphql") {
            let help = "write 'method: POST', or remove 'method'"
            findings.error(
                .jsonNeedsPost,
                "a GraphQL query is not sent with GET",
                at: request.location("graphql"),
                help: help
            )
        }
    }

    /// The body of a GraphQL query (https://graphql.org/learn/serving-over-http/).
    private func graphQL(_ request: CheckedMapping, _ scope: ProgramScope) -> JSONTemplate? {
        guard let node = request["graphql"],
            let keys = CheckedMapping(node, Tables.graphQL, at: request.location("graphql"), findings),
            let query = keys["query"].flatMap(query)
        else { return nil }
        var members: [(key: String, value: JSONTemplate)] = [("query", .constant(.text(query)))]
        if let variables = keys["variables"] {
            if variables.mapping == nil {
                let message = "'variables' must be a mapping, not \(variables.kindName)"
                findings.error(.wrongType, message, at: variables.location)
            }
            jsonTemplate(variables, scope).map { members.append(("variables", $0)) }
        }
        return .object(members)
    }

    func checkPath(_ path: Template, _ hosts: [HostPattern], _ hasBase: Bool) {
        for case .text(let text) in path.parts
        where text.unicodeScalars.contains(where: { $0 == " " || Self.isControl($0) }) {
            let help = "encode it: write a space as %20"
            findings.error(
                .badPath,
                "a path cannot contain spaces or control characters",
                at: path.location,
                help: help
            )
            return
        }
        if path.isWhole { return }
        if path.hasLiteral("#") {
            let help = "write it as %23, or remove what follows it"
            findings.error(.badPath, "what follows '#' in a path is never sent", at: path.location, help: help)
        }
        if path.isConstant,
            path.source.prefix(while: { $0 != "?" }).split(separator: "/").contains(where: Self.isDotted)
        {
            findings.error(
                .badPath,
                "a path with '.' or '..' leads to another path",
                at: path.location,
                help: "write the path that it leads to"
            )
        }
        if case .text(let first)? = path.parts.first, first.contains("://") {
            checkURL(path, hosts, of: "path")
        } else if !hasBase, !hasToldOfBase {
            hasToldOfBase = true
            let help = "write 'http: {base: https://…}', or the full URL here"
            findings.error(.baseMissing, "a relative path needs 'http.base'", at: path.location, help: help)
        }
    }

    private static func isDotted(_ segment: Substring) -> Bool { segment == "." || segment == ".." }

    /// How the next page is found; `nil` if there is none, or it is invalid.
    func paging(_ keys: CheckedMapping, _ scope: ProgramScope, _ request: Request?) -> Paging? {
        guard let node = keys["page"], let page = CheckedMapping(node, Tables.page, at: keys.location("page"), findings)
        else {
            return nil
        }
        let more = program(page["more"], scope)
        let total = program(page["total"], scope)
        let pages = program(page["pages"], scope)
        guard let entry = page.kind(of: Tables.page, findings),
            let kind = PagingKey.all.first(where: { $0.spec.name == entry.key })?.read(self, entry, scope)
        else { return nil }
        let place = page.text("in").flatMap(Paging.Place.init(rawValue:)) ?? .query
        checkPlace(page, entry.key, kind, place, request)
        checkCursor(kind, request, entry)
        checkNames(entry, place, request)
        let stop = page.text("stop").flatMap(Paging.Stop.init(rawValue:))
        let size = size(entry, request)
        if stop == .short, size == nil {
            let help = "write 'size: 100' in '\(entry.key)' if it takes a size, or give the query a constant limit"
            findings.error(
                .stopNeedsSize,
                "'stop: short' needs the size of a page",
                at: page.location("stop"),
                help: help
            )
        }
        if stop == .token, case .count = kind.lead {
            let help = "use 'empty' or 'short'"
            findings.error(
                .stopNeedsToken,
                "'\(entry.key)' has no token to stop at",
                at: page.location("stop"),
                help: help
            )
        }
        return Paging(
            kind: kind,
            place: place,
            onlyFirst: onlyFirst(page, entry.key, kind, keys, request),
            sinceOnlyFirst: page["only_first"]?.sequence?.contains { $0.scalar?.text == "since" } ?? false,
            addsQuery: addsQuery(page, entry.key, kind),
            omitsFirst: entry.value["omit_first"]?.scalar?.text == "true",
            more: more,
            total: total,
            pages: pages,
            stop: stop,
            maximum: page.integer("max") ?? 10_000,
            size: size,
            sendsSize: entry.value["size"] != nil
                && (kind.sizeParam != nil || request?.sendsOfPage("size") == true),
            minimumSize: entry.value["min_size"]?.scalar.flatMap { Int($0.text) } ?? 1
        )
    }

    /// The number of records on a full page: from `size`, or else from a query parameter with a usual name.
    private func size(_ kind: YAMLEntry, _ request: Request?) -> Int? {
        if let size = kind.value["size"]?.scalar.flatMap({ Int($0.text) }), size > 0 { return size }
        let usual = [
            "limit", "per_page", "perpage", "page_size", "pagesize", "size", "count", "take", "first", "max_results",
        ]
        for (name, value) in request?.query ?? [] where usual.contains(name.lowercased()) {
            if case .text(let text)? = value.parts.first, value.isConstant, let size = Int(text), size > 0 {
                return size
            }
        }
        return nil
    }
}
