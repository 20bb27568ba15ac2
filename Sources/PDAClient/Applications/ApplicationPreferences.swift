public import LosslessJSON

/// What an application lets its user choose: an object on servers, a text on some clients.
public enum ApplicationPreferences: Sendable, Equatable {
    /// As servers have it.
    case choices(PreferenceChoices)
    /// As some clients have it.
    case text(String)
}

extension ApplicationPreferences: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> ApplicationPreferences {
        if let text = value.stringText { return .text(text) }
        return .choices(try PreferenceChoices.read(value, at: path))
    }

    var written: JSONValue {
        switch self {
        case .choices(let choices): choices.written
        case .text(let text): .text(text)
        }
    }
}

/// The available choices, and where they are stored.
public struct PreferenceChoices: PDAShape {
    /// `namespace/endpoint` in the PDA.
    public var endpoint: String
    /// The choices by name.
    public var preferences: PDAMap<Preference>

    var original = JSONObject()
}

extension PreferenceChoices: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        endpoint = try members.required("endpoint")
        preferences = try members.required("preferences")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("endpoint", endpoint)
        members.set("preferences", preferences)
    }
}

/// One thing to choose.
public struct Preference: PDAShape {
    /// What is chosen.
    public var setting: String
    /// What it means.
    public var description: String
    /// The kind of value.
    public var kind: String
    /// The value if nothing was chosen.
    public var defaultValue: JSONValue?
    /// The chosen value.
    public var value: JSONValue?

    var original = JSONObject()
}

extension Preference: ObjectShape {
    init(_ members: MemberReader) throws(PDAError) {
        setting = try members.required("setting")
        description = try members.required("description")
        kind = try members.required("kind")
        defaultValue = try members.optional("defaultValue")
        value = try members.optional("value")
        original = members.object
    }

    func write(to members: inout MemberWriter) {
        members.set("setting", setting)
        members.set("description", description)
        members.set("kind", kind)
        members.set("defaultValue", defaultValue)
        members.set("value", value)
    }
}
