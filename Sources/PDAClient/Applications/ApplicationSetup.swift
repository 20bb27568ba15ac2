internal import LosslessJSON

/// How an application is set up: `application.setup`. Not to be confused with `HATApplicationObject.isSetUp`.
public struct ApplicationSetup: PDAShape {
    /// Whether the PDA does it alone, or the application's pages take part.
    public var kind: ApplicationSide
    /// The application's set-up page; for plugs usually different from `kind.url`. `External` only.
    public var url: String?
    /// Opens the App on a device: a custom scheme such as `acmediary://pdahost`, to which log-in redirects.
    public var iosURL: String?
    /// The same for Android.
    public var androidURL: String?
    /// What new users see, in order.
    public var onboarding: [OnboardingStep]?
    /// A text on some clients, an object on servers.
    public var preferences: ApplicationPreferences?
    /// A set-up page for tests; newer servers.
    public var testingURL: String?
    /// Where log-in may redirect to; newer servers require it for `External`.
    public var validRedirectURIs: [String]?
    /// Called when the application is disabled; newer servers.
    public var deauthoriseCallbackURL: String?
    /// Ids of applications that are set up with it; newer servers.
    public var dependencies: [String]?

    var original = JSONObject()
}

extension ApplicationSetup: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        kind = try members.required("kind")
        url = try members.optional("url")
        iosURL = try members.optional("iosUrl")
        androidURL = try members.optional("androidUrl")
        onboarding = try members.optional("onboarding")
        preferences = try members.optional("preferences")
        testingURL = try members.optional("testingUrl")
        validRedirectURIs = try members.optional("validRedirectUris")
        deauthoriseCallbackURL = try members.optional("deauthorizeCallbackUrl")
        dependencies = try members.optional("dependencies")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("kind", kind)
        members.set("url", url)
        members.set("iosUrl", iosURL)
        members.set("androidUrl", androidURL)
        members.set("testingUrl", testingURL)
        members.set("validRedirectUris", validRedirectURIs)
        members.set("deauthorizeCallbackUrl", deauthoriseCallbackURL)
        members.set("onboarding", onboarding)
        members.set("preferences", preferences)
        members.set("dependencies", dependencies)
    }
}

/// A page shown to new users.
public struct OnboardingStep: PDAShape {
    /// The heading.
    public var title: String
    /// The text.
    public var description: String
    /// The picture.
    public var illustration: Drawable

    var original = JSONObject()
}

extension OnboardingStep: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        title = try members.required("title")
        description = try members.required("description")
        illustration = try members.required("illustration")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("title", title)
        members.set("description", description)
        members.set("illustration", illustration)
    }
}
