package import LosslessJSON
internal import PDAWire
package import PlugCore

/// A directory of definitions at hand: those of a host's own plugs, or of a folder of files.
package struct DefinitionList: ApplicationDirectory {
    private let list: [JSONValue]
    private let byID: [String: JSONValue]

    /// Takes bare Applications.
    ///
    /// - Throws: `PlugError` `directory-definition` (configuration) if one has no id, or where two have the same.
    package init(_ definitions: [JSONValue]) throws(PlugError) {
        var byID: [String: JSONValue] = [:]
        for definition in definitions {
            guard let id = definition["id"]?.stringText, !id.isEmpty else {
                throw Self.invalid("a definition has no 'id'")
            }
            guard byID.updateValue(definition, forKey: id) == nil else {
                throw Self.invalid("two definitions have the id '\(DisplayText.escaped(id))'")
            }
        }
        list = definitions
        self.byID = byID
    }

    /// The definition with an id.
    package func definition(of id: String) async throws -> JSONValue? { byID[id] }

    /// All, in their order.
    package func definitions() async throws -> [JSONValue] { list }

    /// Nobody else has to hear of it.
    package func registerConsent(to id: String, token: Secret) async throws {}

    private static func invalid(_ message: String) -> PlugError {
        PlugError(
            .directoryDefinition,
            message,
            advice: "a definition is what 'plughost application export' prints"
        )
    }
}
