internal import LosslessJSON

/// The definition of an application or plug, without its state in any PDA: the bare Application of a directory (S35).
///
/// Members are required if both the public documentation and the reference server require them; those that either leaves out
/// are optional here, so that no plug disappears for want of a country.
public struct HATApplication: PDAShape {
    /// The id in every URL and in log-in's `name`, for example `acme-steps`.
    public var id: String
    /// App or plug, and where its pages are.
    public var kind: ApplicationKind
    /// Its description for people.
    public var info: ApplicationInfo
    /// Its developer.
    public var developer: ApplicationDeveloper
    /// What it may do, and which data it receives.
    public var permissions: ApplicationPermissions
    /// Others that are set up with it; only newer servers have it.
    public var dependencies: ApplicationDependencies?
    /// How it is set up.
    public var setup: ApplicationSetup
    /// How it is checked, and since which version it works.
    public var status: ApplicationStatus

    var original = JSONObject()
}

extension HATApplication: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        id = try members.required("id")
        kind = try members.required("kind")
        info = try members.required("info")
        developer = try members.required("developer")
        permissions = try members.required("permissions")
        dependencies = try members.optional("dependencies")
        setup = try members.required("setup")
        status = try members.required("status")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("id", id)
        members.set("kind", kind)
        members.set("info", info)
        members.set("developer", developer)
        members.set("permissions", permissions)
        members.set("dependencies", dependencies)
        members.set("setup", setup)
        members.set("status", status)
    }
}

/// An application's developer.
public struct ApplicationDeveloper: PDAShape {
    /// For example `acme`.
    public var id: String
    /// The display name.
    public var name: String
    /// The web page.
    public var url: String
    /// Required by the documentation, optional on the server.
    public var country: String?
    /// Only newer servers have it.
    public var logo: Drawable?

    var original = JSONObject()
}

extension ApplicationDeveloper: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        id = try members.required("id")
        name = try members.required("name")
        url = try members.required("url")
        country = try members.optional("country")
        logo = try members.optional("logo")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("id", id)
        members.set("name", name)
        members.set("url", url)
        members.set("country", country)
        members.set("logo", logo)
    }
}

/// What is set up together with an application, by id.
public struct ApplicationDependencies: PDAShape {
    /// Data plugs.
    public var plugs: [String]
    /// Tools: functions of the PDA.
    public var tools: [String]
    /// Contracts.
    public var contracts: [String]

    var original = JSONObject()
}

extension ApplicationDependencies: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        plugs = try members.required("plugs")
        tools = try members.required("tools")
        contracts = try members.required("contracts")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("plugs", plugs)
        members.set("tools", tools)
        members.set("contracts", contracts)
    }
}
