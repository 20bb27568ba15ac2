package import LosslessJSON

/// A function that the host adds to the language; it receives its input and its arguments by value.
package struct JQFunction: Sendable {
    /// The name.
    package let name: String
    /// How many arguments it takes, 0 to 6.
    package let arity: Int
    /// Maps input and arguments to a result.
    package let body: @Sendable (JSONValue, [JSONValue]) throws(JQError) -> JSONValue

    /// A function of this name; arguments that produce several values call it once for each combination.
    package init(
        _ name: String,
        arity: Int,
        _ body: @escaping @Sendable (JSONValue, [JSONValue]) throws(JQError) -> JSONValue
    ) {
        self.name = name
        self.arity = arity
        self.body = body
    }
}
