internal import LosslessJSON

/// An example of what an application writes, as the feed shows it: an element of `application.info.dataPreview`.
public struct FeedItem: PDAShape {
    /// The application that it comes from.
    public var source: String
    /// When it happened.
    public var date: FeedDate
    /// For example `fitness`; servers always have it.
    public var types: [String]?
    /// Optional on the server, required by some clients.
    public var title: FeedTitle?
    /// Text, pictures and more.
    public var content: FeedContent?
    /// Where it happened.
    public var location: FeedLocation?

    var original = JSONObject()
}

extension FeedItem: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        source = try members.required("source")
        date = try members.required("date")
        types = try members.optional("types")
        title = try members.optional("title")
        content = try members.optional("content")
        location = try members.optional("location")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("source", source)
        members.set("date", date)
        members.set("types", types)
        members.set("title", title)
        members.set("content", content)
        members.set("location", location)
    }
}

/// A moment, in two forms.
public struct FeedDate: PDAShape {
    /// ISO 8601.
    public var iso: PDATime
    /// Seconds since 1970.
    public var unix: Int

    var original = JSONObject()
}

extension FeedDate: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        iso = try members.required("iso")
        unix = try members.required("unix")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("iso", iso)
        members.set("unix", unix)
    }
}

/// A feed item's heading.
public struct FeedTitle: PDAShape {
    /// The heading.
    public var text: String
    /// The line below it.
    public var subtitle: String?
    /// What was done, for example `steps`.
    public var action: String?

    var original = JSONObject()
}

extension FeedTitle: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        text = try members.required("text")
        subtitle = try members.optional("subtitle")
        action = try members.optional("action")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("text", text)
        members.set("subtitle", subtitle)
        members.set("action", action)
    }
}
