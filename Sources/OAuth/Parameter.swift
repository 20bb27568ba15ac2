/// A parameter of a request: a name and its value.
package struct Parameter: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The value. It may be a secret, so parameters are never printed.
    package var value: String

    /// A parameter.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [Parameter] {
    /// These parameters, with values replaced by those of the same name in `others`, followed by the rest of `others`: what a
    /// service wants differently takes precedence over the standard.
    func replaced(by others: [Parameter]) -> [Parameter] {
        var parameters = self
        for other in others {
            if let at = parameters.firstIndex(where: { $0.name == other.name }) {
                parameters[at] = other
            } else {
                parameters.append(other)
            }
        }
        return parameters
    }

    /// The fields of a form or query.
    var fields: [(name: String, value: String)] { map { ($0.name, $0.value) } }
}
