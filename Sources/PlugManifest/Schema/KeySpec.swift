/// One key of a mapping.
package struct KeySpec: Sendable {
    package let name: String
    package let shape: Shape
    package let isRequired: Bool
    /// One of several keys, exactly one of which must be written.
    package let isKind: Bool
    /// One sentence for people.
    package let doc: String
    /// The default if the key is not written, as YAML; `nil` if there is none.
    package let fallback: String?
    /// An example value, as YAML.
    package let example: String?
    /// Keys of the same mapping that exclude it; naming them on one of the two is enough.
    package let excludes: [String]
    /// The version of plughost that introduced the key.
    package let since: String

    package static func key(
        _ name: String,
        _ shape: Shape,
        required: Bool = false,
        default fallback: String? = nil,
        example: String? = nil,
        excludes: [String] = [],
        since: String = firstVersion,
        _ doc: String
    ) -> KeySpec {
        KeySpec(
            name: name,
            shape: shape,
            isRequired: required,
            isKind: false,
            doc: doc,
            fallback: fallback,
            example: example,
            excludes: excludes,
            since: since
        )
    }

    package static func kind(
        _ name: String,
        _ shape: Shape,
        example: String? = nil,
        since: String = firstVersion,
        _ doc: String
    ) -> KeySpec {
        KeySpec(
            name: name,
            shape: shape,
            isRequired: false,
            isKind: true,
            doc: doc,
            fallback: nil,
            example: example,
            excludes: [],
            since: since
        )
    }

    /// The same key, but optional.
    var optional: KeySpec {
        KeySpec(
            name: name,
            shape: shape,
            isRequired: false,
            isKind: isKind,
            doc: doc,
            fallback: fallback,
            example: example,
            excludes: excludes,
            since: since
        )
    }

    /// The first released version.
    package static let firstVersion = "0.1"
}
