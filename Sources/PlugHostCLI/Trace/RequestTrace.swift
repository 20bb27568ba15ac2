internal import ArgumentParser
internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugRuntime
internal import Synchronization

/// What a command tells of its requests and their answers, on stderr, without secrets.
final class RequestTrace: Sendable {
    /// How much is told.
    enum Detail: Sendable {
        /// A line for each request.
        case lines
        /// Its headers and the start of its body, too.
        case whole
    }

    /// What somebody has to know before a trace goes elsewhere.
    static let warning = "Secrets are redacted. Personal data in answers is not."

    private struct State {
        var redactor: Redactor?
        var hidden: [String] = []
        var words = SecretWords([])
    }

    private let detail: Detail
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameter write: Takes lines that are safe to be shown.
    init(detail: Detail, _ write: @escaping @Sendable (String) -> Void) {
        self.detail = detail
        self.write = write
    }

    /// Learns what blots out the secrets of the run that is about to begin.
    func note(_ event: RunEvent) { if case .prepared(let redactor) = event { use(redactor) } }

    /// Blots out what this redactor knows, now and later.
    func use(_ redactor: Redactor) { state.withLock { $0.redactor = redactor } }

    /// Blots out one more secret.
    func hide(_ secret: Secret) {
        state.withLock { state in
            state.hidden.append(secret.reveal())
            state.words = SecretWords(state.hidden, takesEncodings: true)
        }
    }

    /// Tells one try.
    func tell(_ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPError>, after time: Duration) {
        var lines = [line(request, result, time)]
        if detail == .whole {
            lines += request.headers.map { "  > \(header($0))" }
            lines += body(request.body, request.headers.type).map { "  > \($0)" }
            if case .success(let response) = result {
                // A file that cannot be read back is told of by whoever needs all of it.
                let start = (try? response.bodyPrefix(TraceExcerpt.looked + 1)) ?? []
                // Nobody has learnt yet what an answer issues, and it may repeat that elsewhere.
                let issued = SecretWords(CredentialShapes.issued(in: start), takesEncodings: true)
                if request.issuesSecrets {
                    lines += IssuedSecrets.lines(response.headers.fields, start).map { "  < \(shown($0))" }
                } else {
                    lines += response.headers.fields.map { "  < \(header($0, issued))" }
                    lines += body(start, response.headers.fields.type, issued).map { "  < \($0)" }
                }
            }
        }
        write(lines.map { DisplayText.escaped($0) + "\n" }.joined())
    }

    /// `source GET https://api.example.org/posts?limit=40: 200, 1234 bytes, 87 ms`
    private func line(_ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPError>, _ time: Duration) -> String {
        let side = request.side == .source ? "source" : "PDA"
        let again = request.isRetry ? " again" : ""
        let milliseconds = "\(Int64(time / .milliseconds(1))) ms"
        let end =
            switch result {
            case .success(let response): "\(response.status), \(response.bodyCount) bytes, \(milliseconds)"
            case .failure(let error): "no answer (\(shown(error.message))), \(milliseconds)"
            }
        return "\(side)\(again) \(request.method) \(shown(request.url)): \(end)"
    }

    private func header(_ header: HTTPHeader, _ issued: SecretWords = SecretWords([])) -> String {
        let isSecret = CredentialShapes.isSecretHeader(header.name)
        return "\(header.name): \(isSecret ? CredentialShapes.blot : shown(issued.blotted(header.value)))"
    }

    private func body(_ bytes: [UInt8]?, _ type: String?, _ issued: SecretWords = SecretWords([])) -> [String] {
        guard let bytes, !bytes.isEmpty else { return [] }
        return TraceExcerpt.lines(bytes, type: type) { shown(issued.blotted($0)) }
    }

    /// A text without what is known to be a secret, and without what looks like one: a token in an answer is not known yet.
    func shown(_ text: String) -> String {
        let (redactor, words) = state.withLock { ($0.redactor, $0.words) }
        return CredentialShapes.blotted(words.blotted(redactor?.shown(whole: text) ?? text))
    }
}

extension [HTTPHeader] {
    fileprivate var type: String? { first { $0.name.lowercased() == "content-type" }?.value }
}

/// The start of a body.
enum TraceExcerpt {
    /// How many bytes are shown.
    static let limit = 4 << 10
    /// How many are looked at: a secret that is cut in two would not be recognised.
    static let looked = 64 << 10

    static func lines(_ bytes: [UInt8], type: String?, shown: (String) -> String) -> [String] {
        let start = bytes.prefix(looked)
        guard let text = text(start) else { return ["(\(type ?? "bytes") that are not text)"] }
        var whole = shown(text)
        var isCut = bytes.count > looked
        // What stands at the cut may be the first half of a secret.
        if isCut {
            whole = String(
                whole.dropLast(whole.reversed().prefix { $0.isLetter || $0.isNumber || "-_.~+/=%".contains($0) }.count)
            )
        }
        if whole.utf8.count > limit {
            whole = String(decoding: whole.utf8.prefix(limit), as: UTF8.self)
            while whole.hasSuffix("\u{FFFD}") { whole.removeLast() }
            isCut = true
        }
        let lines = whole.split(whereSeparator: \.isNewline).map(String.init)
        return isCut ? lines + ["(and more)"] : lines
    }

    /// The text of bytes; a character that is cut at the end is left out.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        for cut in 0...3 where cut <= bytes.count {
            if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return text }
        }
        return nil
    }
}
