/// A parameter of a request: a name and its value.
package struct Parameter: Sendable, Equatable {
    /// The name.
    package var name: String
    /// The value. It may be a secret, so that parameters are never printed.
    package var value: String

    /// A parameter.
    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension [Parameter] {
    /// These, with the value of one of `others` for that of the same name, and those of other names behind them: what a
    /// service wants in another way than the standard goes before it.
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

    /// The fields of a form or a query.
    var fields: [(name: String, value: String)] { map { ($0.name, $0.value) } }
}
