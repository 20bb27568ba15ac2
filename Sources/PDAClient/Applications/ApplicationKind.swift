internal import LosslessJSON

/// What an application is, and where its pages are: `application.kind`.
public struct ApplicationKind: PDAShape {
    /// The word in `application.kind.kind`. Unknown words are kept.
    public struct Name: RawRepresentable, Sendable, Hashable {
        /// The word on the wire.
        public let rawValue: String
        /// Another word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// `App`: has a store page and is opened on a device.
        public static let app = Name(rawValue: "App")
        /// `DataPlug`: writes data into the PDA and reads none. The documentation's `Data Plug` is read as this.
        public static let dataPlug = Name(rawValue: "DataPlug")
        /// `Tool`: a function inside the PDA.
        public static let tool = Name(rawValue: "Tool")
        /// `Contract`: only newer servers have it.
        public static let contract = Name(rawValue: "Contract")
    }

    /// App, plug, tool or contract.
    public var kind: Name
    /// A web page: where a plug's set-up starts, or an App's store or information page.
    public var url: String
    /// The App Store page; Apps only.
    public var iosURL: String?
    /// The Play Store page; Apps only.
    public var androidURL: String?

    var original = JSONObject()
}

extension ApplicationKind: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        kind = try members.required("kind")
        url = try members.required("url")
        iosURL = try members.optional("iosUrl")
        androidURL = try members.optional("androidUrl")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("url", url)
        members.set("iosUrl", iosURL)
        members.set("androidUrl", androidURL)
        members.set("kind", kind)
    }
}

extension ApplicationKind.Name: OpenWord {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> Self {
        let word = try String.read(value, at: path)
        return word == "Data Plug" ? .dataPlug : Self(rawValue: word)
    }
}
