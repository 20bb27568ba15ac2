internal import CurlTransport
package import PlugCore

/// The client that requests tokens, as an operator registered it with a service.
package struct ClientIdentity: Sendable, Equatable {
    /// How a client authenticates at a token endpoint (RFC 6749, section 2.3).
    package enum Place: Sendable, Equatable {
        /// Id and secret as HTTP Basic.
        case basic
        /// Id and secret among the parameters.
        case body
        /// Only the id, among the parameters: a client without a secret.
        case none
    }

    /// The client's id. It is not secret: every browser sent to consent sees it.
    package var id: String
    /// The client's secret; `nil` for a client without one.
    package var secret: Secret?
    /// How it authenticates.
    package var place: Place

    /// A client. One without a secret does not authenticate, whatever the place.
    package init(id: String, secret: Secret? = nil, place: Place = .body) {
        self.id = id
        self.secret = secret
        self.place = secret == nil && place == .body ? .none : place
    }

    /// The parameters it adds to a request. Never combined with the header: the standard forbids authenticating twice.
    var parameters: [Parameter] {
        switch place {
        case .basic: []
        case .body: [Parameter("client_id", id)] + (secret.map { [Parameter("client_secret", $0.reveal())] } ?? [])
        // A client that signs an assertion may have no other identifier.
        case .none: id.isEmpty ? [] : [Parameter("client_id", id)]
        }
    }

    /// The value of the `Authorization` header; `nil` unless the place is `basic`.
    ///
    /// Id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1), so either may contain a colon.
    var authorization: Secret? {
        guard place == .basic else { return nil }
        let pair = FormText.encode(id) + ":" + FormText.encode(secret?.reveal() ?? "")
        return Secret("Basic " + Base64.encoded(Array(pair.utf8)))
    }

    /// Texts that no message may quote.
    var hidden: [String] { [secret?.reveal(), authorization?.reveal()].compactMap { $0 } }
}
