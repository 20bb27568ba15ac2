import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest

/// What paging and `since` add to a request, by location.
struct AddedParameters {
    /// Query parameters.
    private(set) var query: [(String, JSONValue)] = []
    /// Form fields.
    private(set) var form: [(String, JSONValue)] = []
    /// Members of the body, by path.
    private var members: [(path: [String], value: JSONValue)] = []
    private var headers: [(name: String, text: String)] = []

    init(_ stream: PlugManifest.Stream, _ context: RequestContext) {
        let paging = stream.paging
        if let since = stream.since {
            let isFirst = context.place == paging?.kind.start ?? .start
            let left = isFirst ? [] : paging?.onlyFirst ?? []
            let lower = context.lower.map { value in since.send.map { ($0, value) } } ?? []
            let upper = context.upper.map { value in since.until.map { ($0, value) } } ?? []
            for (bound, value) in isFirst || paging?.sinceOnlyFirst != true ? lower + upper : [] {
                if bound.place == .query, left.contains(bound.name) { continue }
                add(bound.name, value.value(in: bound.format), in: bound.place)
            }
        }
        guard let paging else { return }
        let parameters = paging.kind.parameters(for: context.place, size: context.size)
        // The counted parameter is the first one.
        for (name, value) in parameters.dropFirst(paging.omitsFirst && context.place == paging.kind.start ? 1 : 0) {
            add(name, value, in: paging.place)
        }
    }

    private mutating func add(_ name: String, _ value: JSONValue, in place: Paging.Place) {
        switch place {
        case .query: query.append((name, value))
        case .form: form.append((name, value))
        case .header: headers.append((name, value.stringText ?? value.compactText))
        case .json: members.append((JSONValue.path(name), value))
        case .variables: members.append((["variables"] + JSONValue.path(name), value))
        }
    }

    /// Adds them to headers, replacing those of the same name.
    ///
    /// - Throws: `PlugError` `header-control` if a value holds a control character.
    func add(to fields: inout [HTTPHeader], _ stream: PlugManifest.Stream) throws(PlugError) {
        for (name, text) in headers {
            guard HeaderFields.isSendable(text) else {
                throw PlugError(
                    .headerControl,
                    exit: .data,
                    "the value for the header \(name) contains a line break or another control character",
                    advice: "check what the source gave for it: a token for the next page, or a value of 'since.field'",
                    stream: stream.name
                )
            }
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            fields.append(HTTPHeader(name, text))
        }
    }

    /// A body with its members added; missing objects on the way to them are created.
    ///
    /// - Throws: `PlugError` `body-not-object` if the body, or something on the way, is not an object.
    func added(to body: JSONValue?, _ stream: PlugManifest.Stream) throws(PlugError) -> JSONValue? {
        guard stream.request?.takesJSON == true, !members.isEmpty else { return body }
        var body = body ?? .object(JSONObject())
        for (path, value) in members {
            guard let added = body.setting(value, at: path[...]) else {
                throw PlugError(
                    .bodyNotObject,
                    "the parameter '\(path.joined(separator: "."))' goes into the JSON body, and \(Self.obstacle(body, path)) is no "
                        + "object there",
                    advice:
                        "make it a mapping in 'request.json', or put the parameter elsewhere ('page.in', 'since.send')",
                    stream: stream.name
                )
            }
            body = added
        }
        return body
    }

    /// What blocks a path.
    private static func obstacle(_ body: JSONValue, _ path: [String]) -> String {
        var value: JSONValue? = body
        for (at, step) in path.enumerated() {
            guard let here = value, here.object != nil else {
                return at == 0 ? "the body" : "'\(path[..<at].joined(separator: "."))'"
            }
            value = here[step]
        }
        return "the body"
    }
}
