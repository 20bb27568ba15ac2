internal import ArgumentParser
internal import CurlTransport
internal import LosslessJSON
internal import PlugCore
internal import PlugFetch
internal import PlugRuntime
internal import Synchronization

/// A command's report of its requests and their answers, on stderr, without secrets.
final class RequestTrace: Sendable {
    /// The level of detail.
    enum Detail: Sendable {
        /// A line for each request.
        case lines
        /// Also its headers and the start of its body.
        case whole
    }

    /// What to know before passing a trace on.
    static let warning = "Secrets are redacted. Personal data in answers is not."

    private struct State {
        var redactor: Redactor?
        var hidden: [String] = []
        var words = SecretWords([])
    }

    private let detail: Detail
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    /// - Parameter write: Receives lines that are safe to display.
    init(detail: Detail, _ write: @escaping @Sendable (String) -> Void) {
        self.detail = detail
        self.write = write
    }

    /// Sets the redactor of the run that is about to start.
    func note(_ event: RunEvent) { if case .prepared(let redactor) = event { use(redactor) } }

    /// Redacts what this redactor knows, now and later.
    func use(_ redactor: Redactor) { state.withLock { $0.redactor = redactor } }

    /// Redacts one more secret.
    func hide(_ secret: Secret) {
        state.withLock { state in
            state.hidden.append(secret.reveal())
            state.words = SecretWords(state.hidden, takesEncodings: true)
        }
    }

    /// Reports one try.
    func tell(_ request: HTTPRequest, _ result: Result<HTTPResponse, HTTPError>, after time: Duration) {
        var lines = [line(request, result, time)]
        if detail == .whole {
            lines += request.headers.map { "  > \(header($0))" }
            lines += body(request.body, request.headers.type).map { "  > \($0)" }
            if case .success(let response) = result {
                // A file that cannot be read back is reported by whatever needs all of it.
                let start = (try? response.bodyPrefix(TraceExcerpt.looked + 1)) ?? []
                // The tokens that an answer issues are not known yet, and it may repeat them elsewhere.
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
        let milliseconds = "\(time.wholeMicroseconds / 1_000) ms"
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

    /// A text without known secrets, and without what looks like one: a token in an answer is not known yet.
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
    /// The number of bytes shown.
    static let limit = 4 << 10
    /// The number of bytes examined: a secret that is cut in two would not be recognised.
    static let looked = 64 << 10

    static func lines(_ bytes: [UInt8], type: String?, shown: (String) -> String) -> [String] {
        let start = bytes.prefix(looked)
        guard let text = text(start) else { return ["(\(type ?? "bytes") that are not text)"] }
        var whole = shown(text)
        var isCut = bytes.count > looked
        // The text at the cut may be the first half of a secret.
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

    /// The bytes as text; a character that is cut off at the end is left out.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        for cut in 0...3 where cut <= bytes.count {
            if let text = String(validating: bytes.dropLast(cut), as: UTF8.self) { return text }
        }
        return nil
    }
}
