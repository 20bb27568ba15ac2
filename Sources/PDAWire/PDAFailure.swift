public import LosslessJSON

/// What a PDA says about a request that it refused, read from either of its two error bodies.
public struct PDAFailure: Sendable, Equatable {
    /// Which of the two bodies it was.
    public enum Form: Sendable, Equatable {
        /// `{"message": TITLE, "cause": CAUSE, "details"?: […]}`, from a controller.
        case application
        /// `{"error": TITLE, "message": CAUSE}`, from the framework.
        case framework
    }

    /// Which of the two bodies it was.
    public var form: Form
    /// Such as `Bad Request`.
    public var title: String
    /// The explanation; a framework message that is an object is given as its compact JSON.
    public var cause: String
    /// Further texts, empty if there are none.
    public var details: [String]

    /// A failure.
    public init(_ form: Form, title: String, cause: String, details: [String] = []) {
        self.form = form
        self.title = title
        self.cause = cause
        self.details = details
    }

    /// Reads an error body, `nil` if it has neither shape (an acknowledgement, a record, HTML's absence of JSON).
    public init?(body: JSONValue) {
        if let title = body["error"]?.stringText, let message = body["message"] {
            self.init(.framework, title: title, cause: message.stringText ?? message.compactText)
        } else if let title = body["message"]?.stringText, let cause = body["cause"]?.stringText {
            let details = body["details"]?.elements?.compactMap(\.stringText) ?? []
            self.init(.application, title: title, cause: cause, details: details)
        } else {
            return nil
        }
    }

    /// Reads an error body in place.
    public init?(body: JSONView) {
        guard body.kind == .object else { return nil }
        self.init(body: body.value)
    }

    /// The body as the PDA writes it.
    public var body: JSONValue {
        switch form {
        case .framework: return .object(JSONObject([("error", .text(title)), ("message", .text(cause))]))
        case .application:
            var members: [JSONObject.Member] = [("message", .text(title)), ("cause", .text(cause))]
            if !details.isEmpty { members.append(("details", .array(details.map(JSONValue.text)))) }
            return .object(JSONObject(members))
        }
    }

    /// Whether it says that exactly this record is already stored. Only the whole cause proves it: the reference server uses the
    /// same beginning for other database errors.
    public var isDuplicate: Bool { cause == PDACause.duplicate || cause == PDACause.batchDuplicate }
}

/// The causes that a client acts on, exactly as the reference server writes them.
public enum PDACause {
    /// POST to an endpoint: the record is already stored, anywhere in this PDA.
    public static let duplicate = "Duplicate data - Duplicate data"
    /// POST to an endpoint: the database refused the record for another reason.
    public static let notInsertable = "Duplicate data - Unexpected issue with inserting data"
    /// POST to `/data-batch`: a record is already stored.
    public static let batchDuplicate = "Could not insert data - Duplicate data"
    /// POST to `/data-batch`: the database refused a record for another reason.
    public static let batchNotInsertable = "Could not insert data - Unexpected issue with inserting data"
    /// POST to `/data-batch`: the token may not write to a namespace of the batch.
    public static let batchForbidden = "Access Denied - No rights to insert some or all of the data in the batch"
    /// PUT: a record is unknown or belongs to someone else.
    public static let updateMissing = "Could not update records: Records missing for updating"
    /// DELETE by id: a record is unknown, belongs to someone else or is named twice.
    public static let deleteMissing = "Could not delete records: Records missing for deleting"
    /// DELETE by id: the token may not write to a record's namespace.
    public static let deleteForbidden =
        "Access Denied - Permissions to modify records in some of the namespaces missing"
    /// GET of one record: there is none.
    public static let recordMissing =
        "Could not find unique record: No single record found for provided ID"
    /// GET of a token: too many requests in too short a time.
    public static let rateExceeded = "Rate of requests from your IP exceeded"
    /// GET of a token without the headers.
    public static let credentialsRequired = "No username or password provided to retrieve token"
    /// 401, as title and as cause.
    public static let notAuthenticated = "Not Authenticated"
    /// 403.
    public static let accessDenied = "Access Denied"
    /// 404 with the title `Not Found`; also when the server's database is busy, so it may be transient.
    public static let unavailable = "HAT unavailable"

    /// An application that the PDA cannot resolve.
    public static func applicationUnknown(_ id: String) -> String {
        "Application \(id) does not appear to be a valid application registered with the DEX"
    }
}
