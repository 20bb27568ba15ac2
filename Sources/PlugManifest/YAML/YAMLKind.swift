/// What a file of YAML is, in the words of messages about it.
package struct YAMLKind: Sendable {
    /// `a manifest`.
    package let name: String
    /// The file that shows every key of it.
    package let example: String
    /// What to do where the file is too large.
    let whenTooLarge: String
    /// What to do where it holds several documents.
    let whenSeveral: String
    /// What to do instead of an alias.
    let insteadOfAlias: String
    /// Whether it may hold secrets: then no message repeats a value.
    let holdsSecrets: Bool
    /// How many nodes it may have, each counted wherever it stands; `nil` where none may stand in two places.
    var nodeLimit: Int?
    /// How many bytes it may have.
    var byteLimit = YAMLReader.byteLimit
    /// How deep its values may be nested.
    var depthLimit = YAMLReader.depthLimit

    /// A manifest.
    package static let manifest = YAMLKind(
        name: "a manifest",
        example: "plug.yaml.example",
        whenTooLarge: "split the plug, or move long examples from 'tests' to 'fixtures/'",
        whenSeveral: "one file holds one plug",
        insteadOfAlias:
            "write the value where it is needed; what all streams share goes into 'defaults', and a text into 'vars'",
        holdsSecrets: false
    )

    /// A file of an operator's settings.
    ///
    /// - Parameters:
    ///   - name: What it is, with its article.
    ///   - example: The file that shows every key of it.
    package static func settings(_ name: String, example: String) -> YAMLKind {
        YAMLKind(
            name: name,
            example: example,
            whenTooLarge: "check that you named the right file",
            whenSeveral: "one file holds one document",
            insteadOfAlias: "write the value where it is needed",
            holdsSecrets: true
        )
    }

    /// A file of another program, which is read to be translated.
    ///
    /// - Parameters:
    ///   - name: What it is, with its article.
    ///   - byteLimit: How many bytes it may have.
    ///   - nodeLimit: How many nodes it may have, each counted wherever an alias puts it.
    ///   - depthLimit: How deep its values may be nested.
    package static func foreign(_ name: String, byteLimit: Int, nodeLimit: Int, depthLimit: Int) -> YAMLKind {
        YAMLKind(
            name: name,
            example: "its documentation",
            whenTooLarge: "check that you named the right file",
            whenSeveral: "one file holds one document",
            insteadOfAlias: "write the value where it is needed",
            holdsSecrets: false,
            nodeLimit: nodeLimit,
            byteLimit: byteLimit,
            depthLimit: depthLimit
        )
    }
}
