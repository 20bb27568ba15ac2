internal import LosslessJSON

/// The content of a feed item.
public struct FeedContent: PDAShape {
    /// Plain text.
    public var text: String?
    /// HTML from a third party: show it as untrusted.
    public var html: String?
    /// Pictures.
    public var media: [FeedMedia]?
    /// Extra lines by name.
    public var nestedStructure: PDAMap<[FeedLine]>?

    var original = JSONObject()
}

extension FeedContent: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        text = try members.optional("text")
        html = try members.optional("html")
        media = try members.optional("media")
        nestedStructure = try members.optional("nestedStructure")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("text", text)
        members.set("html", html)
        members.set("media", media)
        members.set("nestedStructure", nestedStructure)
    }
}

/// A picture of a feed item.
public struct FeedMedia: PDAShape {
    /// The picture.
    public var url: String?
    /// A thumbnail.
    public var thumbnail: String?

    var original = JSONObject()
}

extension FeedMedia: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        url = try members.optional("url")
        thumbnail = try members.optional("thumbnail")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("thumbnail", thumbnail)
        members.set("url", url)
    }
}

/// An extra line of a feed item.
public struct FeedLine: PDAShape {
    /// The text.
    public var content: String
    /// A badge beside it.
    public var badge: String?
    /// What it is about.
    public var types: [String]?

    var original = JSONObject()
}

extension FeedLine: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        content = try members.required("content")
        badge = try members.optional("badge")
        types = try members.optional("types")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("content", content)
        members.set("badge", badge)
        members.set("types", types)
    }
}
