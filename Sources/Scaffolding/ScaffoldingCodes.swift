package import PlugCore

/// The codes of scaffolding, as `plughost explain` lists them.
package enum ScaffoldingCodes {
    /// All codes.
    package static let all: [PlugError.Code] = [.openAPIUnreadable, .openAPIOperation, .openAPIAnswer]
}

extension PlugError.Code {
    package static let openAPIUnreadable = Self(
        "openapi-unreadable",
        exit: .data,
        "A file given with --openapi is not a description in OpenAPI 3 or Swagger 2, or cannot be read as JSON or YAML.",
        "Use the provider's description; large ones as JSON."
    )

    static let openAPIOperation = Self(
        "openapi-operation",
        exit: .usage,
        "No operation was named, or the description has none with that name. Only GET operations can be used.",
        "Name one of the list with --operation."
    )

    static let openAPIAnswer = Self(
        "openapi-answer",
        exit: .data,
        "The description does not say what an operation returns: it has no JSON schema for 200.",
        "Choose another operation, or begin without --openapi and write the members yourself."
    )
}
