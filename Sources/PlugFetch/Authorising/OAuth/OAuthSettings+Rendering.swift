import CurlTransport
import JQ
package import LosslessJSON
package import OAuth
package import PlugCore
package import PlugManifest

extension OAuthSettings {
    /// The scopes to request.
    package func renderedScopes(_ roots: TemplateRoots) throws(PlugError) -> [String] {
        var texts: [String] = []
        for scope in scopes { texts.append(try scope.renderText(roots)) }
        return texts.filter { !$0.isEmpty }
    }

    /// How token responses are read.
    ///
    /// - Parameter config: The configuration without its secrets.
    package func reading(scopes: [String], config: JSONValue) -> TokenReading {
        var reading = TokenReading(separator: scopeSeparator, asked: scopes)
        reading.accessToken = Self.selector(fields.accessToken, config)
        reading.refreshToken = Self.selector(fields.refreshToken, config)
        reading.expires = Self.selector(fields.expires, config)
        reading.refreshExpires = Self.selector(fields.refreshExpires, config)
        reading.scope = Self.selector(fields.scope, config)
        reading.kept = keep.compactMap { kept in
            Self.selector(kept.program, config).map { (name: kept.name, selector: $0) }
        }
        if let rule = deadIf { reading.isDead = { answer in try AnswerPrograms.matches(rule, answer, config) } }
        return reading
    }

    private static func selector(_ program: JQProgram?, _ config: JSONValue) -> TokenReading.Selector? {
        guard let program else { return nil }
        return { answer in try AnswerPrograms.first(program, over: answer, config) }
    }
}

extension OAuthSettings.TokenAddress {
    /// The token endpoint.
    package func endpoint(_ roots: TemplateRoots) throws(PlugError) -> TokenEndpoint {
        TokenEndpoint(
            try AuthAddress.url(address.url, roots),
            encoding: {
                switch encoding {
                case .form: .form
                case .json: .json
                case .query: .query
                }
            }(),
            parameters: try AuthAddress.parameters(address.parameters, roots),
            headers: try HeaderFields.render(headers, roots)
        )
    }
}

/// Programs over token responses.
enum AnswerPrograms {
    /// A program's first output.
    static func first(_ program: JQProgram, over answer: ReceivedAnswer, _ config: JSONValue) throws -> JSONValue? {
        let globals = RecordGlobals.answer.values(parents: [], config: config, headers: answer.headers.json)
        do { return try program.run(answer.value ?? .null, globals: globals).first } catch {
            throw error.interruption ?? error
        }
    }

    /// Whether an answer says that a grant is dead.
    static func matches(_ rule: DeadRule, _ answer: ReceivedAnswer, _ config: JSONValue) throws -> Bool {
        if let status = rule.status, !status.contains(answer.status) { return false }
        guard let condition = rule.condition else { return true }
        return isTrue(try first(condition, over: answer, config))
    }

    /// Whether an output means yes.
    static func isTrue(_ output: JSONValue?) -> Bool { output.map { !$0.isNull && $0.bool != false } ?? false }
}
