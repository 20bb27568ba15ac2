/// The kind of a YAML file, as messages describe it.
package struct YAMLKind: Sendable {
    /// `a manifest`.
    package let name: String
    /// The file that shows all of its keys.
    package let example: String
    /// What to do if the file is too large.
    let whenTooLarge: String
    /// What to do if it holds several documents.
    let whenSeveral: String
    /// What to do instead of an alias.
    let insteadOfAlias: String
    /// Whether it may hold secrets: messages then repeat no values.
    let holdsSecrets: Bool
    /// The largest number of nodes, each counted wherever it is used; `nil` if none may be used twice.
    var nodeLimit: Int?
    /// Its largest size in bytes.
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

    /// A file with an operator's settings.
    ///
    /// - Parameters:
    ///   - name: Its name, with the article.
    ///   - example: The file that shows all of its keys.
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
    ///   - name: Its name, with the article.
    ///   - byteLimit: Its largest size in bytes.
    ///   - nodeLimit: The largest number of nodes, each counted wherever an alias puts it.
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
