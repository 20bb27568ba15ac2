/// How requests are authenticated.
package indirect enum Authorization: Sendable {
    /// Requests are sent without credentials.
    case none
    /// `Authorization: Bearer …`.
    case bearer(Template)
    /// `Authorization: Basic …` from both, encoded by the fetcher.
    case basic(username: Template, password: Template)
    /// Keys in headers, in the query, in the body or in cookies.
    case keys([Key])
    /// A signature of each request, in a service's own way.
    case sign(SignSettings)
    /// A signature of each request, with OAuth 1.0a.
    case oauth1(OAuth1Settings)
    /// A signature of each request, with AWS Signature 4.
    case aws(AWSSettings)
    /// A session token, obtained with a request.
    case login(LoginSettings)
    /// An access token of OAuth 2.
    case oauth2(OAuthSettings)
    /// One of several, which the configuration chooses.
    case anyOf(AuthorizationChoice)

    /// Where a key goes.
    package enum KeyPlace: String, Sendable, CaseIterable {
        /// A request header.
        case header
        /// A query parameter.
        case query
        /// A field of the form, or a member of the JSON body.
        case body
        /// A cookie.
        case cookie
    }

    /// A credential that is sent as it is.
    package struct Key: Sendable {
        /// Where it goes.
        package var place: KeyPlace
        /// The name of the header, parameter, field or cookie; in a JSON body a path with dots.
        package var name: String
        /// The key.
        package var value: Template
    }

    /// Whether any part of it goes into the body of requests.
    package var goesIntoBody: Bool {
        switch self {
        case .sign(let settings): settings.send.contains { $0.place == .body }
        case .keys(let keys): keys.contains { $0.place == .body }
        case .login, .oauth2: tokenUse?.place == .body
        case .anyOf(let choice): choice.alternatives.contains { $0.authorization.goesIntoBody }
        case .none, .bearer, .basic, .oauth1, .aws: false
        }
    }
}
