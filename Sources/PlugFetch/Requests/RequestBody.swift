import LosslessJSON
import PlugCore
import PlugManifest

/// The body of a request, rendered.
struct RequestBody {
    /// What can be added to it.
    enum Kind: Sendable {
        case form, json, text
    }

    let kind: Kind
    /// The media type for the header `Content-Type`, unless the manifest names one.
    let type: String
    let bytes: [UInt8]

    /// Renders it; `nil` if the request has none.
    ///
    /// - Throws: `PlugError` if a template has no value, or a parameter has no place in the body.
    init?(
        _ request: Request,
        of stream: PlugManifest.Stream,
        _ added: AddedParameters,
        _ roots: TemplateRoots
    ) throws(PlugError) {
        if let form = request.form {
            var fields: [(name: String, value: String)] = []
            for (name, template) in form {
                fields += ParameterList.parameters(name, try template.render(roots), request.arrays)
            }
            for (name, value) in added.form {
                fields.removeAll { $0.name == name }
                fields += ParameterList.parameters(name, value, request.arrays)
            }
            kind = .form
            type = "application/x-www-form-urlencoded"
            bytes = Array(FormText.encode(fields).utf8)
        } else if let text = request.text {
            kind = .text
            type = "text/plain; charset=utf-8"
            bytes = Array(try text.renderText(roots).utf8)
        } else {
            guard let json = try added.added(to: try request.json?.render(roots), stream) else { return nil }
            kind = .json
            type = "application/json"
            var bytes: [UInt8] = []
            json.write(to: &bytes)
            self.bytes = bytes
        }
    }
}

/// Turns values into parameters of a query or a form.
enum ParameterList {
    /// The parameters of a value: none for `null`, according to `style` for a list, one for anything else.
    static func parameters(
        _ name: String,
        _ value: JSONValue,
        _ style: Request.ArrayStyle
    ) -> [(name: String, value: String)] {
        guard case .array = value else { return texts(of: value).map { (name, $0) } }
        let texts = texts(of: value)
        return switch style {
        case .repeat: texts.map { (name, $0) }
        case .brackets: texts.map { ("\(name)[]", $0) }
        case .comma: texts.isEmpty ? [] : [(name, texts.joined(separator: ","))]
        }
    }

    private static func texts(of value: JSONValue) -> [String] {
        switch value {
        case .null: []
        case .array(let elements): elements.flatMap(texts)
        default: [value.stringText ?? value.compactText]
        }
    }
}
