internal import LosslessJSON

/// One set of proposed terms: an element of a data debit's history (S22).
public struct DataDebitPermissionsObject: PDAShape {
    /// When it was proposed.
    public var dateCreated: PDATime
    /// What the data is for. Servers always have it.
    public var purpose: String?
    /// When it starts. Servers always have it.
    public var start: PDATime?
    /// The length of one period: milliseconds on the wire, whatever the documentation's text says (S23, S24). Servers keep
    /// whole seconds.
    public var period: Duration
    /// Whether it ends with the period; if not, it is renewed for further periods.
    public var cancelsAtPeriodEnd: Bool
    /// When it was cancelled; only servers report it.
    public var canceledAt: PDATime?
    /// The terms that were agreed to.
    public var termsURL: String
    /// Data flows only while each of these yields a record (S29).
    public var conditions: DataBundle?
    /// Which data.
    public var bundle: DataBundle
    /// Whether the owner agreed.
    public var isAccepted: Bool
    /// Whether data flows now: started, accepted and not ended.
    public var isActive: Bool
    /// When it ends, `nil` if it continues.
    public var end: PDATime?

    var original = JSONObject()
}

extension DataDebitPermissionsObject: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        dateCreated = try members.required("dateCreated")
        purpose = try members.optional("purpose")
        start = try members.optional("start")
        period = try (members.required("period") as Period).duration
        cancelsAtPeriodEnd = try members.required("cancelAtPeriodEnd")
        canceledAt = try members.optional("canceledAt")
        termsURL = try members.required("termsUrl")
        conditions = try members.optional("conditions")
        bundle = try members.required("bundle")
        isAccepted = try members.required("accepted")
        isActive = try members.required("active")
        end = try members.optional("end")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("dateCreated", dateCreated)
        members.set("purpose", purpose)
        members.set("start", start)
        members.set("period", Period(period))
        members.set("cancelAtPeriodEnd", cancelsAtPeriodEnd)
        members.set("canceledAt", canceledAt)
        members.set("termsUrl", termsURL)
        members.set("conditions", conditions)
        members.set("bundle", bundle)
        members.set("accepted", isAccepted)
        members.set("active", isActive)
        members.set("end", end)
    }
}
