package import JQ

/// A request that obtains a session token (`auth.login`).
package struct LoginSettings: Sendable {
    /// The request for the token.
    package var request: LoginRequest
    /// The program for the token, over the answer. Its globals are those of `RecordGlobals.answer`.
    package var token: JQProgram
    /// How long the token lives; `nil` until an answer says that it is no longer valid.
    package var lifetime: TokenLifetime?
    /// How requests carry the token; `nil` for `Authorization: Bearer`.
    package var use: TokenUse?
    /// Which answers say that the token is no longer valid; `nil` for 401.
    package var deadIf: DeadRule?
}

/// The request of a login.
package struct LoginRequest: Sendable {
    /// GET or POST.
    package var method: Request.Method
    /// A URL, whose host need not be one of `hosts`, or a path below `http.base`.
    package var path: Template
    /// Query parameters, in file order.
    package var query: [(name: String, value: Template)]
    /// Headers, after those of `http`, in file order.
    package var headers: [(name: String, value: Template)]
    /// The body of the request.
    package var body: Body

    /// A body.
    package enum Body: Sendable {
        /// No body.
        case none
        /// A JSON body.
        case json(JSONTemplate)
        /// `application/x-www-form-urlencoded`, in file order. A value that renders to `null` leaves the field out.
        case form([(name: String, value: Template)])
    }
}
