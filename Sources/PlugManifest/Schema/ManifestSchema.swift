package import LosslessJSON

/// The manifest language as a JSON Schema.
///
/// It checks less than the validator, which also reads programs, templates and references.
package enum ManifestSchema {
    /// The schema, draft 2020-12, for editors.
    package static var json: JSONValue {
        KeySchema(
            "A plug of plughost, api: 1",
            of: Tables.manifest,
            // 'defaults' may give a stream its request, and a request its path.
            isInherited: { [Tables.stream.name, Tables.request.name].contains($0.name) },
            mayBeNone: Tables.mayBeNone
        ).json
    }
}
