public import LosslessJSON

/// Where a feed item happened.
public struct FeedLocation: PDAShape {
    /// Coordinates.
    public var geo: FeedCoordinates?
    /// An address.
    public var address: FeedAddress?
    /// Tags.
    public var tags: [String]?

    var original = JSONObject()
}

extension FeedLocation: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        geo = try members.optional("geo")
        address = try members.optional("address")
        tags = try members.optional("tags")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("geo", geo)
        members.set("address", address)
        members.set("tags", tags)
    }
}

/// Coordinates in degrees, with every digit.
public struct FeedCoordinates: PDAShape {
    /// North of the equator.
    public var latitude: JSONNumber
    /// East of Greenwich.
    public var longitude: JSONNumber

    var original = JSONObject()
}

extension FeedCoordinates: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        latitude = try members.required("latitude")
        longitude = try members.required("longitude")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("longitude", longitude)
        members.set("latitude", latitude)
    }
}

/// An address.
public struct FeedAddress: PDAShape {
    /// The country.
    public var country: String?
    /// The city.
    public var city: String?
    /// The place's name.
    public var name: String?
    /// Known to servers.
    public var street: String?
    /// Known to servers.
    public var zip: String?

    var original = JSONObject()
}

extension FeedAddress: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        country = try members.optional("country")
        city = try members.optional("city")
        name = try members.optional("name")
        street = try members.optional("street")
        zip = try members.optional("zip")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("country", country)
        members.set("city", city)
        members.set("name", name)
        members.set("street", street)
        members.set("zip", zip)
    }
}
