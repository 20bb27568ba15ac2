import CurlTransport
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// The rule of a manifest that recognises an answer saying that the request's token is dead.
struct DeadTokens: Sendable {
    let rule: DeadRule
    /// The configuration without its secrets.
    let config: JSONValue

    /// Whether an answer says so.
    ///
    /// - Parameter request: The request's name in messages.
    /// - Throws: `PlugError` `condition-failed`.
    func matches(_ response: HTTPResponse, _ request: String) throws(PlugError) -> Bool {
        if let status = rule.status, !status.contains(response.status) { return false }
        guard let condition = rule.condition else { return true }
        let body = (try? JSONDocument(response.body))?.root.value ?? .null
        let globals = RecordGlobals.answer.values(parents: [], config: config, headers: response.headers.json)
        do { return AnswerPrograms.isTrue(try condition.run(body, globals: globals).first) } catch {
            if let interruption = error.interruption { throw interruption }
            throw PlugError(
                .conditionFailed,
                "\(rule.place): the condition '\(condition.source)' of 'dead_if' failed on the answer "
                    + "\(response.status) to \(request): \(error.withoutValues)",
                advice: "make it handle any body, including null"
            )
        }
    }
}
