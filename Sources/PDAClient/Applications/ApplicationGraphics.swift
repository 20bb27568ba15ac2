internal import LosslessJSON

/// An application's pictures: `application.info.graphics`.
public struct ApplicationGraphics: PDAShape {
    /// The wide picture.
    public var banner: Drawable
    /// The logo.
    public var logo: Drawable
    /// May be empty. A single picture instead of a list, as one page of the documentation has it, is a list of one.
    public var screenshots: [Drawable]

    var original = JSONObject()
}

extension ApplicationGraphics: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        banner = try members.required("banner")
        logo = try members.required("logo")
        if let single = members.value("screenshots"), single.object != nil {
            screenshots = [try Drawable.read(single, at: members.place("screenshots"))]
        } else {
            screenshots = try members.required("screenshots")
        }
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("banner", banner)
        members.set("logo", logo)
        members.set("screenshots", screenshots)
    }
}

/// A picture's addresses, by screen width.
public struct Drawable: PDAShape {
    /// For every width that has no address of its own; may be empty.
    public var normal: String
    /// Below 576 pixels.
    public var small: String?
    /// Above 992 pixels.
    public var large: String?
    /// Above 1200 pixels.
    public var extraLarge: String?

    var original = JSONObject()
}

extension Drawable: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        normal = try members.required("normal")
        small = try members.optional("small")
        large = try members.optional("large")
        extraLarge = try members.optional("xlarge")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("small", small)
        members.set("normal", normal)
        members.set("large", large)
        members.set("xlarge", extraLarge)
    }
}
