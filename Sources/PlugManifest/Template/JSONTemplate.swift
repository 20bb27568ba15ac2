package import LosslessJSON
package import PlugCore

/// A tree whose texts may be templates: the body of a request.
package indirect enum JSONTemplate: Sendable {
    /// A value without templates.
    case constant(JSONValue)
    /// A text with `{{ … }}`.
    case template(Template)
    /// An array.
    case array([JSONTemplate])
    /// An object in file order.
    case object([(key: String, value: JSONTemplate)])

    /// The roots that its templates use.
    var usedRoots: Set<String> {
        switch self {
        case .constant: []
        case .template(let template): template.usedGlobals
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.usedRoots) }
        case .object(let members): members.reduce(into: []) { $0.formUnion($1.value.usedRoots) }
        }
    }

    /// The member, or the argument of a GraphQL query, whose value is this constant.
    func name(of number: String) -> String? {
        switch self {
        case .template, .array: nil
        case .constant(.object(let object)):
            object.members.first { $0.value.number?.text == number || $0.value.stringText == number }?.key.text
        case .constant(let value): GraphQLWords(value.stringText ?? "").argument(equal: number)
        case .object(let members):
            members.lazy.compactMap { member -> String? in
                if case .constant(let value) = member.value, value.number?.text == number { return member.key }
                if case .template(let template) = member.value, template.isConstant, template.source == number {
                    return member.key
                }
                return member.value.name(of: number)
            }.first
        }
    }

    /// Renders the body for these roots.
    ///
    /// - Throws: `PlugError` as `Template.render`.
    package func render(_ roots: TemplateRoots) throws(PlugError) -> JSONValue {
        switch self {
        case .constant(let value): return value
        case .template(let template): return try template.render(roots)
        case .array(let elements):
            var values: [JSONValue] = []
            for element in elements { values.append(try element.render(roots)) }
            return .array(values)
        case .object(let members):
            var object = JSONObject()
            for member in members {
                // Members without a value are left out.
                if case .template(let template) = member.value, template.isWhole {
                    if let value = try template.renderIfAny(roots) { object[JSONString(member.key)] = value }
                } else {
                    object[JSONString(member.key)] = try member.value.render(roots)
                }
            }
            return .object(object)
        }
    }
}
