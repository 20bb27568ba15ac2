import CurlTransport
import JQ
import LosslessJSON
import PlugCore
import PlugManifest

/// The service's own words about a request that it refused: they often name the parameter that is wrong, and sometimes a person.
enum SourceMessage {
    /// The most characters shown: some services answer with a whole page.
    static let limit = 200
    /// Larger bodies are not examined, in bytes.
    private static let largest = 1 << 16
    /// Where services put it, in the order in which they are tried.
    private static let members: [String] = [
        "error_description", "message", "error_message", "errorMessage", "detail", "error", "errors", "title", "msg",
        "description", "reason", "fault", "faultstring",
    ]

    /// The text at one of the usual members of an error body.
    static func usual(in body: JSONValue) -> String? { usual(in: body, depth: 0) }

    private static func usual(in value: JSONValue, depth: Int) -> String? {
        if let text = value.stringText { return depth > 0 && !text.isEmpty ? text : nil }
        guard depth < 4 else { return nil }
        if let first = value.elements?.first { return usual(in: first, depth: depth + 1) }
        return members.lazy.compactMap { value[$0].flatMap { usual(in: $0, depth: depth + 1) } }.first
    }

    /// The body of an answer that means an error, `nil` if it is not JSON or too long to be one.
    static func body(_ response: HTTPResponse) -> JSONValue? {
        guard 1...largest ~= response.body.count else { return nil }
        return (try? JSONDocument(response.body))?.root.value
    }
}

extension Exchange {
    /// An error that quotes the service's message: found by the manifest's `http.error`, otherwise at the usual members.
    ///
    /// - Throws: `PlugError` only if the run is interrupted or a program's budget is used up.
    func quoting(_ response: HTTPResponse, _ error: PlugError) throws(PlugError) -> PlugError {
        guard let body = SourceMessage.body(response) else { return error }
        var text: String?
        if let program = settings.errorMessage {
            let globals = RecordGlobals.answer.values(parents: [], config: config, headers: response.headers.json)
            do {
                let output = try program.run(body, globals: globals).first
                text = output.flatMap { $0.isNull ? nil : $0.stringText ?? $0.compactText }
            } catch {
                // If a program does not fit this answer, the usual members are tried.
                if let interruption = error.interruption { throw interruption }
            }
        }
        guard let text = text ?? SourceMessage.usual(in: body) else { return error }
        // Redacted before truncation: part of a secret is one, too.
        let words = redactor.shown(whole: text).split { $0.isWhitespace }.joined(separator: " ")
        guard !words.isEmpty else { return error }
        var error = error
        let shown = DisplayText.escaped(String(words.prefix(SourceMessage.limit)))
        let quote = shown + (words.count > SourceMessage.limit ? "…" : "")
        error.message += "; it says: \(quote)"
        return error.hiding(quote)
    }
}
