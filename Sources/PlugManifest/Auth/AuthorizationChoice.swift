package import LosslessJSON
package import PlugCore

/// Several ways to authenticate, of which the configuration chooses one (`auth.any_of`).
package struct AuthorizationChoice: Sendable {
    /// Returns the name of one of them; it sees `config` without its secrets.
    package var by: Template
    /// All of them, in file order.
    package var alternatives: [(name: String, authorization: Authorization)]
}

extension Authorization {
    /// The one that a configuration chooses; itself if there is no choice.
    ///
    /// - Throws: `PlugError` `auth-choice` if the configuration names none of the alternatives.
    package func chosen(_ roots: TemplateRoots) throws(PlugError) -> Authorization {
        guard case .anyOf(let choice) = self else { return self }
        let name = try choice.by.renderText(roots)
        if let found = choice.alternatives.first(where: { $0.name == name }) {
            switch found.authorization {
            case .oauth2(var settings):
                settings.alternative = name
                return .oauth2(settings)
            case .oauth1(var settings):
                settings.alternative = name
                return .oauth1(settings)
            case .none, .bearer, .basic, .keys, .sign, .aws, .login, .anyOf: return found.authorization
            }
        }
        let names = choice.alternatives.map(\.name).joined(separator: ", ")
        throw PlugError(
            .authChoice,
            "'auth.any_of' has nothing for '\(DisplayText.escaped(MessageText.shortened(name)))', which "
                + "\(choice.by.source) gives",
            advice: "it has: \(names)"
        )
    }
}

extension Manifest {
    /// The manifest with the authorisation that a configuration chooses.
    ///
    /// - Parameter config: The configuration; defaults of the manifest fill in missing values.
    /// - Throws: `PlugError` `auth-choice`, or what rendering `by` throws.
    package func choosing(_ config: JSONObject) throws(PlugError) -> Manifest {
        guard case .anyOf = authorization else { return self }
        let roots = TemplateRoots(config: withoutSecrets(withDefaults(config)))
        return replacing(authorization: try authorization.chosen(roots))
    }

    /// A configuration completed with the manifest's defaults.
    package func withDefaults(_ config: JSONObject) -> JSONObject {
        var config = config
        for field in self.config where config[JSONString(field.name)] == nil {
            config[JSONString(field.name)] = field.default
        }
        return config
    }
}
