internal import LosslessJSON

/// A request for a PDA owner's agreement (S30).
public struct DataDebitCreationObject: PDAShape {
    /// The id that the data debit is to have, `[0-9a-zA-Z-]+`, unused in the PDA.
    public var dataDebitKey: String
    /// What the data is for.
    public var purpose: String
    /// When it starts.
    public var start: PDATime
    /// The length of one period: whole milliseconds on the wire, of which servers keep whole seconds. Not negative.
    public var period: Duration
    /// The terms to agree to.
    public var termsURL: String
    /// Whether it ends with the period; if not, it is renewed for further periods.
    public var cancelsAtPeriodEnd: Bool
    /// The requester.
    public var requestClientName: String
    /// The requester's page.
    public var requestClientURL: String
    /// The requester's logo.
    public var requestClientLogoURL: String
    /// Servers accept it and do not keep it.
    public var requestClientCallbackURL: String?
    /// The application that it belongs to.
    public var requestApplicationID: String?
    /// The message shown to the owner.
    public var requestDescription: String?
    /// Data flows only while each of these yields a record.
    public var conditions: DataBundle?
    /// Which data.
    public var bundle: DataBundle

    var original = JSONObject()

    /// A request. It is checked when it is sent, or with `check()`.
    public init(
        dataDebitKey: String,
        purpose: String,
        start: PDATime,
        period: Duration,
        termsURL: String,
        cancelsAtPeriodEnd: Bool,
        requestClientName: String,
        requestClientURL: String,
        requestClientLogoURL: String,
        requestClientCallbackURL: String? = nil,
        requestApplicationID: String? = nil,
        requestDescription: String? = nil,
        conditions: DataBundle? = nil,
        bundle: DataBundle
    ) {
        self.dataDebitKey = dataDebitKey
        self.purpose = purpose
        self.start = start
        self.period = period
        self.termsURL = termsURL
        self.cancelsAtPeriodEnd = cancelsAtPeriodEnd
        self.requestClientName = requestClientName
        self.requestClientURL = requestClientURL
        self.requestClientLogoURL = requestClientLogoURL
        self.requestClientCallbackURL = requestClientCallbackURL
        self.requestApplicationID = requestApplicationID
        self.requestDescription = requestDescription
        self.conditions = conditions
        self.bundle = bundle
    }
}

extension DataDebitCreationObject: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        dataDebitKey = try members.required("dataDebitKey")
        purpose = try members.required("purpose")
        start = try members.required("start")
        period = try (members.required("period") as Period).duration
        termsURL = try members.required("termsUrl")
        cancelsAtPeriodEnd = try members.required("cancelAtPeriodEnd")
        requestClientName = try members.required("requestClientName")
        requestClientURL = try members.required("requestClientUrl")
        requestClientLogoURL = try members.required("requestClientLogoUrl")
        requestClientCallbackURL = try members.optional("requestClientCallbackUrl")
        requestApplicationID = try members.optional("requestApplicationId")
        requestDescription = try members.optional("requestDescription")
        conditions = try members.optional("conditions")
        bundle = try members.required("bundle")
        original = members.object
        try check()
    }

    func write(to members: inout MemberWriter) {
        members.set("dataDebitKey", dataDebitKey)
        members.set("purpose", purpose)
        members.set("start", start)
        members.set("period", Period(period))
        members.set("termsUrl", termsURL)
        members.set("cancelAtPeriodEnd", cancelsAtPeriodEnd)
        members.set("requestClientName", requestClientName)
        members.set("requestClientUrl", requestClientURL)
        members.set("requestClientLogoUrl", requestClientLogoURL)
        members.set("requestClientCallbackUrl", requestClientCallbackURL)
        members.set("requestApplicationId", requestApplicationID)
        members.set("requestDescription", requestDescription)
        members.set("conditions", conditions)
        members.set("bundle", bundle)
    }
}
