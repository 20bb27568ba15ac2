internal import LosslessJSON

/// An agreement that gives a recipient data of a PDA: an element of `GET /api/v2.6/data-debit` (S19, S20).
public struct DataDebitObject: PDAShape {
    /// Its id in every URL, `[0-9a-zA-Z-]+`, unique in a PDA (S21).
    public var dataDebitKey: String
    /// When it was proposed, such as `2017-12-11T13:54:02+0000`.
    public var dateCreated: PDATime
    /// Everything that was ever proposed, in no particular order.
    public var permissions: [DataDebitPermissionsObject]
    /// The recipient of the data.
    public var requestClientName: String
    /// The recipient's page.
    public var requestClientURL: String
    /// The recipient's logo.
    public var requestClientLogoURL: String
    /// The application that it belongs to.
    public var requestApplicationID: String?
    /// The message shown to the owner.
    public var requestDescription: String?
    /// Whether data flows now.
    public var isActive: Bool
    /// Whether the owner agreed to any of the permissions.
    public var isAccepted: Bool
    /// When it starts: according to the active permission, otherwise the latest one.
    public var start: PDATime?
    /// When it ends, `nil` if it continues.
    public var end: PDATime?
    /// The terms under which data flows, `nil` if none does.
    public var permissionsActive: DataDebitPermissionsObject?
    /// The latest proposal.
    public var permissionsLatest: DataDebitPermissionsObject

    var original = JSONObject()
}

extension DataDebitObject: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        dataDebitKey = try members.required("dataDebitKey")
        dateCreated = try members.required("dateCreated")
        permissions = try members.required("permissions")
        requestClientName = try members.required("requestClientName")
        requestClientURL = try members.required("requestClientUrl")
        requestClientLogoURL = try members.required("requestClientLogoUrl")
        requestApplicationID = try members.optional("requestApplicationId")
        requestDescription = try members.optional("requestDescription")
        isActive = try members.required("active")
        isAccepted = try members.required("accepted")
        start = try members.optional("start")
        end = try members.optional("end")
        permissionsActive = try members.optional("permissionsActive")
        permissionsLatest = try members.required("permissionsLatest")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("dataDebitKey", dataDebitKey)
        members.set("dateCreated", dateCreated)
        members.set("permissions", permissions)
        members.set("requestClientName", requestClientName)
        members.set("requestClientUrl", requestClientURL)
        members.set("requestClientLogoUrl", requestClientLogoURL)
        members.set("requestApplicationId", requestApplicationID)
        members.set("requestDescription", requestDescription)
        members.set("active", isActive)
        members.set("accepted", isAccepted)
        members.set("start", start)
        members.set("end", end)
        members.set("permissionsActive", permissionsActive)
        members.set("permissionsLatest", permissionsLatest)
    }
}
