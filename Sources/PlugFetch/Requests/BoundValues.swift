import CurlTransport
import LosslessJSON
import PlugCore
import PlugManifest

/// The bounds of a pass as a request says them, by the places where they stand.
struct BoundValues {
    /// Parameters of the query.
    private(set) var query: [(String, JSONValue)] = []
    /// Members of the body, by their paths.
    private(set) var json: [(path: [String], value: JSONValue)] = []
    private var headers: [(name: String, text: String)] = []

    init(_ since: Since?, _ context: RequestContext) {
        guard let since else { return }
        if let lower = context.lower { for bound in since.send { add(bound, lower) } }
        if let upper = context.upper { for bound in since.until { add(bound, upper) } }
    }

    private mutating func add(_ bound: Since.Bound, _ value: SinceValue) {
        let value = value.value(in: bound.format)
        switch bound.place {
        case .query: query.append((bound.name, value))
        case .json: json.append((bound.name.split(separator: ".").map(String.init), value))
        case .header: headers.append((bound.name, value.stringText ?? value.compactText))
        }
    }

    /// Puts them among headers, in the place of those of the same name.
    ///
    /// - Throws: `PlugError` `header-control` if an opaque value holds a control character.
    func add(to fields: inout [HTTPHeader], _ stream: PlugManifest.Stream) throws(PlugError) {
        for (name, text) in headers {
            guard HeaderFields.isSendable(text) else {
                throw PlugError(
                    .headerControl,
                    exit: .data,
                    "the bound for the header \(name) contains a line break or another control character",
                    advice: "check what 'since.field' gives",
                    stream: stream.name
                )
            }
            fields.removeAll { $0.name.lowercased() == name.lowercased() }
            fields.append(HTTPHeader(name, text))
        }
    }

    /// A body with a member set; objects on the way to it that are not there are made.
    ///
    /// - Throws: `PlugError` `body-not-object` if something on the way is no object.
    static func setting(
        _ value: JSONValue,
        at path: ArraySlice<String>,
        in object: JSONObject,
        _ stream: PlugManifest.Stream
    ) throws(PlugError) -> JSONObject {
        guard let first = path.first else { return object }
        var object = object
        let name = JSONString(first)
        if path.count == 1 {
            object[name] = value
            return object
        }
        guard let inner = object[name].map(\.object) ?? JSONObject() else {
            throw PlugError(
                .bodyNotObject,
                "a bound goes below '\(first)' of the JSON body, which is not an object",
                advice: "make it a mapping in 'json', or change the path in 'since'",
                stream: stream.name
            )
        }
        object[name] = .object(try setting(value, at: path.dropFirst(), in: inner, stream))
        return object
    }
}
