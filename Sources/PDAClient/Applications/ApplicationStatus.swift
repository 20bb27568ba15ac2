internal import LosslessJSON

/// Who performs something: the PDA itself, or the application. Unknown words are kept.
public struct ApplicationSide: RawRepresentable, Sendable, Hashable {
    /// The word on the wire.
    public let rawValue: String
    /// Another word.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `Internal`: the PDA itself.
    public static let inside = ApplicationSide(rawValue: "Internal")
    /// `External`: through the application's own address.
    public static let outside = ApplicationSide(rawValue: "External")
}

extension ApplicationSide: OpenWord {}

/// How an application is checked, and since which version it works: `application.status` (S37).
public struct ApplicationStatus: PDAShape {
    /// Whether its state is queried at `statusURL`. One page of the documentation calls it the kind of the release.
    public var kind: ApplicationSide
    /// The lowest version that still works, three integers separated by dots: anything set up below it `needsUpdating`.
    public var compatibility: String
    /// When this version was released.
    public var versionReleaseDate: PDATime
    /// Where new data appears: `namespace/endpoint` in the PDA, compared exactly, not an absolute URL.
    public var recentDataCheckEndpoint: String?
    /// A path below `/api/v2.6/`, such as `she/feed/acme`, not an absolute URL.
    public var dataPreviewEndpoint: String?
    /// The same for static data; only newer servers have it.
    public var staticDataPreviewEndpoint: String?
    /// Queried by the PDA with the application's token in `x-auth-token`; `External` only.
    public var statusURL: String?
    /// The HTTP status that means active; `External` only.
    public var expectedStatus: Int?

    var original = JSONObject()
}

extension ApplicationStatus: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        kind = try members.required("kind")
        compatibility = try members.required("compatibility")
        versionReleaseDate = try members.required("versionReleaseDate")
        recentDataCheckEndpoint = try members.optional("recentDataCheckEndpoint")
        dataPreviewEndpoint = try members.optional("dataPreviewEndpoint")
        staticDataPreviewEndpoint = try members.optional("staticDataPreviewEndpoint")
        statusURL = try members.optional("statusUrl")
        expectedStatus = try members.optional("expectedStatus")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("kind", kind)
        members.set("compatibility", compatibility)
        members.set("statusUrl", statusURL)
        members.set("expectedStatus", expectedStatus)
        members.set("recentDataCheckEndpoint", recentDataCheckEndpoint)
        members.set("dataPreviewEndpoint", dataPreviewEndpoint)
        members.set("staticDataPreviewEndpoint", staticDataPreviewEndpoint)
        members.set("versionReleaseDate", versionReleaseDate)
    }
}
