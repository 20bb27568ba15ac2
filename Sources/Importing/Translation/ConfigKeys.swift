/// The questions for the person, as expressions look them up.
struct ConfigKeys {
    /// One key of the plug's `config`.
    struct Key {
        /// The names that lead to it in the manifest.
        var path: [String]
        /// Its name in the plug.
        var name: String
        /// The type: `string`, `integer`, …
        var type = "string"
        var isSecret = false
        /// Whether it is a list of something other than texts, which a person cannot be asked for.
        var isNested = false
        /// Whether the manifest requires it.
        var isRequired = false
        var title: String?
        var preset: PlugYAML?
        var choices: [PlugYAML] = []
    }

    var keys: [Key] = []

    /// The key at a path.
    func key(at path: [String]) -> Key? { keys.first { $0.path == path } }

    /// The value at a path.
    ///
    /// - Parameter secretly: Whether secrets are visible at this place.
    /// - Throws: `Unsayable` for a secret where none is visible, and for a mapping as a whole.
    func value(at path: [String], secretly: Bool) throws(Unsayable) -> JQText {
        guard let key = key(at: path) else {
            if keys.contains(where: { $0.path.starts(with: path) }) {
                throw Unsayable(
                    "'config.\(path.joined(separator: "."))' is a mapping of settings, which has no counterpart"
                )
            }
            // A setting that is never asked for has no value.
            return JQText(text: "null", kind: .null)
        }
        if key.isNested {
            throw Unsayable(
                "the setting '\(key.name)' is a list of objects or lists, which a plug cannot ask for"
            )
        }
        if key.isSecret, !secretly {
            throw Unsayable("programs over records and answers cannot see the secret '\(key.name)'")
        }
        let kind: JQText.Kind =
            switch key.type {
            case "boolean": .bool
            case "integer", "number": .number
            case "list": .list
            default: .text
            }
        return JQText(text: "config.\(key.name)", kind: kind)
    }
}
