internal import CurlTransport
package import PlugCore

/// Who asks for tokens: the client that an operator has registered with a service.
package struct ClientIdentity: Sendable, Equatable {
    /// How a client proves to a token endpoint who it is (RFC 6749, section 2.3).
    package enum Place: Sendable, Equatable {
        /// Id and secret as HTTP Basic.
        case basic
        /// Id and secret among the parameters.
        case body
        /// Only the id, among the parameters: a client without a secret.
        case none
    }

    /// The client's id. It is no secret: every browser that asks for consent sees it.
    package var id: String
    /// The client's secret; `nil` for a client that has none.
    package var secret: Secret?
    /// How it proves who it is.
    package var place: Place

    /// A client. One without a secret proves nothing, whatever the place.
    package init(id: String, secret: Secret? = nil, place: Place = .body) {
        self.id = id
        self.secret = secret
        self.place = secret == nil && place == .body ? .none : place
    }

    /// What it adds to the parameters of a request. Never both these and the header: the standard forbids two proofs.
    var parameters: [Parameter] {
        switch place {
        case .basic: []
        case .body: [Parameter("client_id", id)] + (secret.map { [Parameter("client_secret", $0.reveal())] } ?? [])
        // Who signs an assertion may be known by nothing else.
        case .none: id.isEmpty ? [] : [Parameter("client_id", id)]
        }
    }

    /// The value of the header `Authorization`, `nil` where the place is not `basic`.
    ///
    /// Id and secret are form-encoded before they are joined (RFC 6749, section 2.3.1), so that each may hold a colon.
    var authorization: Secret? {
        guard place == .basic else { return nil }
        let pair = FormText.encode(id) + ":" + FormText.encode(secret?.reveal() ?? "")
        return Secret("Basic " + Base64.encoded(Array(pair.utf8)))
    }

    /// What no message may quote.
    var hidden: [String] { [secret?.reveal(), authorization?.reveal()].compactMap { $0 } }
}
