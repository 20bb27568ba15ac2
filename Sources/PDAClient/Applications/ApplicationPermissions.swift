internal import LosslessJSON

/// What an application may do, and which data it receives: `application.permissions`.
public struct ApplicationPermissions: PDAShape {
    /// What it may do. A plug has exactly one: `namespacewrite` with its namespace.
    public var rolesGranted: [ApplicationRole]
    /// The data that it receives through the data debit `app-ID`, which set-up creates.
    public var dataRetrieved: DataBundle?
    /// The older form of the same.
    public var dataRequired: ApplicationDataRequired?

    var original = JSONObject()
}

extension ApplicationPermissions: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        rolesGranted = try members.required("rolesGranted")
        dataRetrieved = try members.optional("dataRetrieved")
        dataRequired = try members.optional("dataRequired")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("rolesGranted", rolesGranted)
        members.set("dataRetrieved", dataRetrieved)
        members.set("dataRequired", dataRequired)
    }
}

/// Something that an application may do.
public struct ApplicationRole: PDAShape {
    /// In lower case: `owner`, `platform`, `validate`, `applicationlist` without a detail; `namespacewrite`,
    /// `namespaceread`, `datadebit`, `datacredit`, `applicationmanage`, `retrieveapplicationtoken`, `managefiles` with
    /// one. Any other is `unknown` to a PDA and grants nothing.
    public var role: String
    /// A namespace, or the id of an application or data debit.
    public var detail: String?

    var original = JSONObject()
}

extension ApplicationRole: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        role = try members.required("role")
        detail = try members.optional("detail")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("role", role)
        members.set("detail", detail)
    }
}

/// The older form of the data that an application receives: `application.permissions.dataRequired`. One page of the
/// documentation lists its members under `dataRetrieved`; they belong here.
public struct ApplicationDataRequired: PDAShape {
    /// Which data.
    public var bundle: DataBundle
    /// Data flows only while these yield records; servers know them, the documentation does not.
    public var conditions: DataBundle?
    /// The server requires it, the documentation does not.
    public var startDate: PDATime?
    /// The server requires it, the documentation does not.
    public var endDate: PDATime?
    /// Whether it continues after its end.
    public var isRolling: Bool

    var original = JSONObject()
}

extension ApplicationDataRequired: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        bundle = try members.required("bundle")
        conditions = try members.optional("conditions")
        startDate = try members.optional("startDate")
        endDate = try members.optional("endDate")
        isRolling = try members.required("rolling")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("bundle", bundle)
        members.set("conditions", conditions)
        members.set("startDate", startDate)
        members.set("endDate", endDate)
        members.set("rolling", isRolling)
    }
}
