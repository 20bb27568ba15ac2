internal import LosslessJSON
internal import PlugCore

/// A request's parameters as they are sent.
struct RequestBody {
    var query = ""
    var bytes: [UInt8]?
    var contentType: String?

    init(_ request: PDARequest) throws(PDAError) {
        guard let parameters = request.parameters else { return }
        switch request.encoding {
        case .query: query = try Self.pairs(parameters)
        case .form:
            bytes = Array(try Self.pairs(parameters).utf8)
            contentType = request.contentType ?? "application/x-www-form-urlencoded"
        case .json:
            // An empty object, there only because the call requires one, is not a body.
            if request.method == "GET" || request.method == "HEAD" {
                if parameters.object?.count == 0 { return }
                throw PDAError(.invalidRequest, "\(request.method) has no JSON body", advice: "use the encoding query")
            }
            var text: [UInt8] = []
            parameters.write(to: &text)
            bytes = text
            contentType = request.contentType ?? "application/json"
        }
    }

    private static func pairs(_ parameters: JSONValue) throws(PDAError) -> String {
        guard let members = parameters.object?.members else {
            throw PDAError(
                .invalidRequest,
                "the parameters of a form or query must be an object, not \(parameters.typeName)"
            )
        }
        var pairs: [String] = []
        for (key, value) in members {
            for element in value.elements ?? [value] {
                guard let text = try text(of: element, key.text) else { continue }
                pairs.append("\(PercentEncoding.segment(key.text))=\(PercentEncoding.segment(text))")
            }
        }
        return pairs.joined(separator: "&")
    }

    private static func text(of value: JSONValue, _ key: String) throws(PDAError) -> String? {
        switch value {
        case .null: return nil
        case .bool(let bool): return bool ? "true" : "false"
        case .number(let number): return number.text
        case .string(let string): return string.text
        case .array, .object:
            throw PDAError(.invalidRequest, "the parameter '\(key)' is an \(value.typeName)", advice: "send it as JSON")
        }
    }
}
