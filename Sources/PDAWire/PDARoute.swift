public import PlugCore

/// The paths of a PDA's HTTP API, as the reference server names them. Nothing here sends a request.
public enum PDARoute {
    /// The newest version's base path; everything but the user routes and `/publickey` is under it.
    public static let base = "/api/v2.6"
    /// GET: the RSA key that signs this PDA's tokens, as PEM.
    public static let publicKey = "/publickey"
    /// GET with the headers `username` and `password`: a token of the owner.
    public static let ownerToken = "/users/access_token"
    /// GET: whether a token is valid.
    public static let validate = "/users/access_token/validate"
    /// GET: the endpoints that hold data.
    public static let sources = "\(base)/data/sources"
    /// POST: records of several endpoints in one transaction.
    public static let dataBatch = "\(base)/data-batch"
    /// PUT: changes records. DELETE with `records=ID`: deletes them.
    public static let records = "\(base)/data"
    /// GET: every application that this PDA can resolve.
    public static let applications = "\(base)/applications"

    /// GET, POST, DELETE: the records of one endpoint.
    ///
    /// - Parameters:
    ///   - path: The namespace and endpoint; its grammar needs no encoding.
    ///   - skipErrors: Whether a POST stores what it can and says nothing about the rest.
    public static func data(_ path: DataPath, skipErrors: Bool = false) -> String {
        "\(base)/data/\(path.namespace)/\(path.endpoint)\(skipErrors ? "?skipErrors=true" : "")"
    }

    /// GET: one record.
    public static func record(_ id: String) -> String { "\(base)/data-record/\(PercentEncoding.segment(id))" }
    /// GET: one application with its state.
    public static func application(_ id: String) -> String { "\(applications)/\(PercentEncoding.segment(id))" }
    /// GET: sets an application up, or up again. A GET that changes state, as on the reference server.
    public static func setUp(_ id: String) -> String { "\(application(id))/setup" }
    /// GET: disables an application.
    public static func disable(_ id: String) -> String { "\(application(id))/disable" }
    /// GET: a token for an application.
    public static func applicationToken(_ id: String) -> String { "\(application(id))/access-token" }
}

/// The headers specific to a PDA. Names are compared without regard to case.
public enum PDAHeader {
    /// Carries a token to the PDA, and the refreshed token back.
    public static let token = "X-Auth-Token"
}

/// The limits of what the reference server accepts.
public enum PDALimit {
    /// Bytes of a JSON body; more gets a 413 with an HTML body.
    public static let bodyBytes = 10 << 20
    /// A token not used for this many seconds (by `iat`) is refused.
    public static let idleSeconds: Int64 = 3 * 86_400
    /// A token lives for this many seconds.
    public static let tokenSeconds: Int64 = 30 * 86_400
}
