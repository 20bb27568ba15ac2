package import CurlTransport
package import LosslessJSON
import PlugCore
import PlugManifest

/// Renders header fields from templates.
enum HeaderFields {
    /// Renders them. `null` leaves a field out; a later field replaces an earlier one of the same name.
    ///
    /// - Throws: `PlugError` `header-control` if a value holds a control character.
    static func render(
        _ templates: [(name: String, value: Template)],
        over earlier: [HTTPHeader] = [],
        _ roots: TemplateRoots
    ) throws(PlugError) -> [HTTPHeader] {
        var headers = earlier
        for (name, template) in templates {
            headers.removeAll { $0.name.lowercased() == name.lowercased() }
            let value = try template.render(roots)
            if value.isNull { continue }
            let text = value.stringText ?? value.compactText
            guard isSendable(text) else {
                throw PlugError(
                    .headerControl,
                    exit: .data,
                    "the value for the header \(name) contains a line break or another control character",
                    advice: "check what \(template.source) refers to"
                )
            }
            headers.append(HTTPHeader(name, text))
        }
        return headers
    }

    /// Whether a text is allowed in a header: no control characters except tabs.
    static func isSendable(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// Adds a field unless there is one of that name.
    static func add(_ name: String, _ value: String, to headers: inout [HTTPHeader]) {
        if headers.contains(where: { $0.name.lowercased() == name.lowercased() }) { return }
        headers.append(HTTPHeader(name, value))
    }
}

extension HTTPHeaders {
    /// An answer's headers as programs see them: an object keyed by lower-case name; several fields of one name are joined with
    /// commas, as in RFC 9110 (5.2).
    package var json: JSONValue {
        var object = JSONObject()
        for field in fields {
            let name = JSONString(field.name.lowercased())
            let earlier = object[name]?.stringText.map { $0 + ", " } ?? ""
            object[name] = .text(earlier + field.value)
        }
        return .object(object)
    }
}
