package import CurlTransport
package import PlugCore

/// Why there is no token. It contains no token, code or secret, whatever the service has written.
package struct TokenFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// What it means for the caller.
    package enum Kind: Sendable, Equatable {
        /// The proof presented for the token is dead (`invalid_grant`): the person must consent again.
        case dead
        /// The service does not know the client, or does not permit it this: the operator must act.
        case wrongClient
        /// It is transient: the service is overloaded or failing, and may say how long to stay away.
        case passing(after: Duration?)
        /// There is no response. The request may have taken effect all the same: see `HTTPError.mayHaveArrived`.
        case unreachable(HTTPError)
        /// The response cannot be read. The request may have taken effect all the same.
        case unreadable
        /// It is a token response, but without a usable access token: asking again would give the same.
        case unusable
        /// The person has not decided yet (RFC 8628, section 3.5).
        case pending
        /// The same, and the service wants to be asked less often.
        case slowDown
        /// The person declined.
        case denied
        /// The device code has expired.
        case expired
        /// Nothing there issues tokens, or it redirects elsewhere: the address is wrong.
        case misdirected
        /// Any other error from the service: the request is wrong.
        case refused

        /// Whether the service says that it is transient.
        var isPassing: Bool { if case .passing = self { true } else { false } }
    }

    /// What it means for the caller.
    package var kind: Kind
    /// What happened: a part of a sentence, to follow "the answer of …: ".
    package var reason: String
    /// The part of the reason in the service's own words, which may contain personal data.
    package var quote: String?
    /// The standard's name of the error, such as `invalid_scope`, if the service gave one.
    package var code: String?
    /// The status of the response; `nil` if there was none.
    package var status: Int?
    /// The refresh token that an otherwise good response contained: if it replaces the one presented, it is the only one that
    /// still works.
    package var refreshToken: Secret?

    /// A failure.
    package init(_ kind: Kind, _ reason: String, code: String? = nil, status: Int? = nil) {
        self.kind = kind
        self.reason = reason
        self.code = code
        self.status = status
    }

    /// The failure that a response reports.
    init(_ kind: Kind, _ told: ToldError, _ hidden: HiddenTexts, status: Int?) {
        self.init(kind, told.words(hidden), code: told.name(hidden), status: status)
        quote = told.quote(hidden)
    }

    /// There is no response, or it was cut off at a limit or broken: the service was reached, and would most likely respond the
    /// same way again.
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
