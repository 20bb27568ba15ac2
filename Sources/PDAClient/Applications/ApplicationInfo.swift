internal import LosslessJSON

/// An application's description for people: `application.info` (S36).
public struct ApplicationInfo: PDAShape {
    /// Three integers separated by dots, such as `1.4.0`; may differ from a store's.
    public var version: String
    /// What is new in this version.
    public var updateNotes: UpdateNotes?
    /// Whether it is past testing.
    public var isPublished: Bool
    /// The display name.
    public var name: String
    /// A line below the name.
    public var headline: String
    /// A longer text.
    public var description: FormattedText
    /// What the human–machine interface shows; only newer servers have it.
    public var hmiDescription: FormattedText?
    /// The terms of service.
    public var termsURL: String
    /// The privacy policy; only newer servers have it.
    public var privacyPolicyURL: String?
    /// Why and how data is used; becomes the purpose of the data debit that set-up creates.
    public var dataUsePurpose: String
    /// An e-mail address.
    public var supportContact: String
    /// How well it treats its users' data.
    public var rating: ApplicationRating?
    /// Examples of what it writes; may be empty.
    public var dataPreview: [FeedItem]
    /// Banner, logo and screenshots.
    public var graphics: ApplicationGraphics
    /// A colour such as `#3f51b5`; only newer servers have it.
    public var primaryColour: String?
    /// Notified of changes to the data debit that set-up creates.
    public var callbackURL: String?

    var original = JSONObject()
}

extension ApplicationInfo: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        version = try members.required("version")
        updateNotes = try members.optional("updateNotes")
        isPublished = try members.required("published")
        name = try members.required("name")
        headline = try members.required("headline")
        description = try members.required("description")
        hmiDescription = try members.optional("hmiDescription")
        termsURL = try members.required("termsUrl")
        privacyPolicyURL = try members.optional("privacyPolicyUrl")
        dataUsePurpose = try members.required("dataUsePurpose")
        supportContact = try members.required("supportContact")
        rating = try members.optional("rating")
        dataPreview = try members.required("dataPreview")
        graphics = try members.required("graphics")
        primaryColour = try members.optional("primaryColor")
        callbackURL = try members.optional("callbackUrl")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("version", version)
        members.set("updateNotes", updateNotes)
        members.set("published", isPublished)
        members.set("name", name)
        members.set("headline", headline)
        members.set("description", description)
        members.set("hmiDescription", hmiDescription)
        members.set("termsUrl", termsURL)
        members.set("privacyPolicyUrl", privacyPolicyURL)
        members.set("dataUsePurpose", dataUsePurpose)
        members.set("supportContact", supportContact)
        members.set("rating", rating)
        members.set("dataPreview", dataPreview)
        members.set("graphics", graphics)
        members.set("primaryColor", primaryColour)
        members.set("callbackUrl", callbackURL)
    }
}

/// What is new in a version.
public struct UpdateNotes: PDAShape {
    /// One line.
    public var header: String
    /// The points, `nil` for none.
    public var notes: [String]?

    var original = JSONObject()
}

extension UpdateNotes: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        header = try members.required("header")
        notes = try members.optional("notes")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("header", header)
        members.set("notes", notes)
    }
}

/// One text in up to three renderings.
public struct FormattedText: PDAShape {
    /// Plain text.
    public var text: String
    /// The same as Markdown.
    public var markdown: String?
    /// The same as HTML. It comes from a third party: show it as untrusted.
    public var html: String?

    var original = JSONObject()
}

extension FormattedText: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        text = try members.required("text")
        markdown = try members.optional("markdown")
        html = try members.optional("html")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("text", text)
        members.set("markdown", markdown)
        members.set("html", html)
    }
}

/// How well an application treats its users' data.
public struct ApplicationRating: PDAShape {
    /// Letters such as `A*A*A*`.
    public var score: String
    /// 0–99; newer servers have it, and some clients require it.
    public var points: Int?

    var original = JSONObject()
}

extension ApplicationRating: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        score = try members.required("score")
        points = try members.optional("points")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("score", score)
        members.set("points", points)
    }
}
