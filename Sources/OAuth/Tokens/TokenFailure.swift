package import CurlTransport
package import PlugCore

/// Why there is no token. It names no token, code or secret, whatever the service has written.
package struct TokenFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What it means for whoever asked.
    package enum Kind: Sendable, Equatable {
        /// What was shown for the token is dead (`invalid_grant`): the person must consent again.
        case dead
        /// The service does not know the client, or does not let it do this: the operator must look.
        case wrongClient
        /// It passes: the service is overloaded or failing, and says perhaps how long to stay away.
        case passing(after: Duration?)
        /// There is no answer. Its request may have had its effect all the same: see `HTTPError.mayHaveArrived`.
        case unreachable(HTTPError)
        /// The answer cannot be read. The request may have had its effect all the same.
        case unreadable
        /// The answer has no access token that can be used, though it is one about tokens: asked again, it would be the same.
        case unusable
        /// The person has not decided yet (RFC 8628, section 3.5).
        case pending
        /// The same, and the service wants to be asked more rarely.
        case slowDown
        /// The person said no.
        case denied
        /// The code of the device is too old.
        case expired
        /// There is nothing that gives tokens, or it leads elsewhere: the address is wrong.
        case misdirected
        /// Any other error of the service: the request is wrong.
        case refused

        /// Whether the service says that it passes.
        var isPassing: Bool { if case .passing = self { true } else { false } }
    }

    /// What it means.
    package var kind: Kind
    /// What happened, to follow "the answer of …: ": a part of a sentence.
    package var reason: String
    /// What of the reason is the service's own words, which may hold anything of a person.
    package var quote: String?
    /// The standard's name of the error, such as `invalid_scope`, where the service gave one.
    package var code: String?
    /// The status of the answer, `nil` where there was none.
    package var status: Int?
    /// The refresh token that a good answer gave all the same: where it replaces the one that was shown, it is the only one
    /// that works now.
    package var refreshToken: Secret?

    /// A failure.
    package init(_ kind: Kind, _ reason: String, code: String? = nil, status: Int? = nil) {
        self.kind = kind
        self.reason = reason
        self.code = code
        self.status = status
    }

    /// The failure that an answer tells of.
    init(_ kind: Kind, _ told: ToldError, _ hidden: HiddenTexts, status: Int?) {
        self.init(kind, told.words(hidden), code: told.name(hidden), status: status)
        quote = told.quote(hidden)
    }

    /// There is no answer, or one that is cut off at a limit or broken: the service was reached, and asked again, it would most
    /// likely answer the same.
    package init(_ error: HTTPError) {
        let isAnswered = [.tooLarge, .badEncoding, .badResponse].contains(error.code)
        self.init(isAnswered ? .unreadable : .unreachable(error), error.message)
    }

    /// The reason, the code and the status.
    package var description: String {
        let code = code.map { ": \($0)" } ?? ""
        let status = status.map { " (status \($0))" } ?? ""
        return "\(reason)\(code)\(status)"
    }
}
