/// An object that keeps insertion order; a repeated key keeps its first place and its last value.
public struct JSONObject: Sendable {
    /// A member.
    public typealias Member = (key: JSONString, value: JSONValue)

    /// The members, in insertion order, each key once.
    public private(set) var members: [Member]
    /// Positions by key; built once an object is large enough for a linear search to cost more.
    private var positions: [JSONString: Int]?
    private static let linearLimit = 12

    /// An empty object.
    public init() { members = [] }

    /// An object of these members, in order; the last of equal keys wins.
    public init(_ members: some Sequence<Member>) {
        self.members = []
        self.members.reserveCapacity(members.underestimatedCount)
        for member in members { self[member.key] = member.value }
    }

    /// An object of these members, in order, without looking for equal keys.
    ///
    /// - Parameter members: No two of them may have the same key; if two do, lookups find the first.
    public init(distinct members: [Member]) { self.members = members }

    /// An empty object with room for this many members.
    init(capacity: Int) {
        members = []
        members.reserveCapacity(capacity)
    }

    /// The number of members.
    public var count: Int { members.count }
    /// The keys, in insertion order.
    public var keys: [JSONString] { members.map(\.key) }
    /// The values, in insertion order.
    public var values: [JSONValue] { members.map(\.value) }

    /// The value of a key; setting `nil` removes the member.
    public subscript(key: JSONString) -> JSONValue? {
        get { position(of: key).map { members[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil):
                members.remove(at: index)
                positions = nil
                indexIfLarge()
            case (nil, let value?):
                members.append((key, value))
                if positions != nil { positions?[key] = members.count - 1 } else { indexIfLarge() }
            case (nil, nil): break
            }
        }
    }

    private func position(of key: JSONString) -> Int? {
        if let positions { return positions[key] }
        return members.firstIndex { $0.key == key }
    }

    private mutating func indexIfLarge() {
        guard members.count > Self.linearLimit else { return }
        positions = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.key, $0) })
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of these members, in order.
    public init(dictionaryLiteral members: (JSONString, JSONValue)...) {
        self.init(members.map { (key: $0.0, value: $0.1) })
    }
}
