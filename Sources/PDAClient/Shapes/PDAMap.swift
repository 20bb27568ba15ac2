internal import LosslessJSON

/// Values by name, in order, for objects whose keys are not fixed.
public struct PDAMap<Value: Sendable>: Sendable {
    /// A value and its name.
    public typealias Entry = (name: String, value: Value)

    /// The entries, in order, each name once.
    public private(set) var entries: [Entry] = []

    /// An empty map.
    public init() {}

    /// The names, in order.
    public var names: [String] { entries.map(\.name) }
    /// The values, in order.
    public var values: [Value] { entries.map(\.value) }

    /// The value for a name, `nil` for none. Names are compared by their bytes, as in JSON.
    public subscript(name: String) -> Value? {
        get { position(name).map { entries[$0].value } }
        set {
            switch (position(name), newValue) {
            case (let at?, let value?): entries[at].value = value
            case (let at?, nil): entries.remove(at: at)
            case (nil, let value?): entries.append((name, value))
            case (nil, nil): break
            }
        }
    }

    private func position(_ name: String) -> Int? {
        entries.firstIndex { JSONString($0.name) == JSONString(name) }
    }
}

extension PDAMap: ExpressibleByDictionaryLiteral {
    /// A map of these entries; the last of equal names wins.
    public init(dictionaryLiteral entries: (String, Value)...) {
        for (name, value) in entries { self[name] = value }
    }
}

extension PDAMap: Equatable where Value: Equatable {
    /// Whether both have the same values, without regard to order.
    public static func == (left: PDAMap, right: PDAMap) -> Bool {
        left.entries.count == right.entries.count && left.entries.allSatisfy { right[$0.name] == $0.value }
    }
}

extension PDAMap: MemberValue where Value: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> PDAMap {
        let members = try MemberReader(value, at: path)
        var map = PDAMap()
        // An object's keys are distinct, so no lookup is needed.
        for (key, value) in members.object.members {
            map.entries.append((key.text, try Value.read(value, at: members.place(key.text))))
        }
        return map
    }

    var written: JSONValue { .object(JSONObject(entries.map { (JSONString($0.name), $0.value.written) })) }
}
