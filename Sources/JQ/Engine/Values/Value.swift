import LosslessJSON

/// A value inside the engine. Numbers that came from outside keep their text; results of arithmetic are integers or doubles, and
/// a NaN is an ordinary `double` here that leaves the engine as `null`. A container from outside stays unopened until its
/// contents are needed: a tree (`json`), or a place in a document (`view`).
enum Value: Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case literal(JSONNumber)
    case string(JSONString)
    case array(ValueArray)
    indirect case object(ValueObject)
    case json(JSONValue)
    /// A container of deeply nested containers.
    case deep(Deep)
    /// A container in its document, small enough to be searched repeatedly (`JQInput`); in an output, any value.
    case view(JSONView)

    /// Wraps a value from outside; scalars are opened at once.
    init(_ value: JSONValue) {
        switch value {
        case .null: self = .null
        case .bool(let bool): self = .bool(bool)
        case .number(let number): self = .literal(number)
        case .string(let string): self = .string(string)
        case .array, .object: self = .json(value)
        }
    }

    /// Opens everything, for values that the engine itself has to account for. They are as deep as their maker allowed.
    init(opening value: JSONValue) {
        switch value {
        case .array(let elements): self = .array(ValueArray(elements.map { Value(opening: $0) }))
        case .object(let object):
            self = .object(ValueObject(object.members.map { ValueObject.Member($0.key, Value(opening: $0.value)) }))
        default: self = Value(value)
        }
    }

    static func text(_ text: String) -> Value { .string(JSONString(text)) }
    static func count(_ count: Int) -> Value { .integer(Int64(count)) }

    /// The same value with its outermost container open.
    func opened(_ meter: Meter) throws(JQError) -> Value {
        switch self {
        case .json(.array(let elements)): try meter.copy(elements: elements.count)
        case .json(.object(let object)): try meter.copy(elements: 3 * object.count)
        case .view(let view): try view.announce(meter)
        case .deep(let deep): return deep.value
        default: return self
        }
        return opened
    }

    private var opened: Value {
        switch self {
        case .json(.array(let elements)): return .array(ValueArray(shallow: elements.map { Value($0) }))
        case .json(.object(let object)):
            return .object(ValueObject(distinct: object.members.map { ValueObject.Member($0.key, Value($0.value)) }))
        case .json(let scalar): return Value(scalar)
        case .view(let view): return view.opened
        case .deep(let deep): return deep.value
        default: return self
        }
    }

    /// An output's members: it has been weighed.
    var openedObject: ValueObject? { if case .object(let object) = opened { object } else { nil } }

    /// Opens the outermost container in place.
    mutating func open(_ meter: Meter) throws(JQError) {
        switch self {
        case .json, .view, .deep: self = try opened(meter)
        default: break
        }
    }

    var isTruthy: Bool {
        switch self {
        case .null, .bool(false): false
        default: true
        }
    }

    var isNull: Bool { if case .null = self { true } else { false } }
    var isNumber: Bool { rank == 3 }

    /// The number as a double; NaN for anything else.
    var asDouble: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .double(let double): double
        case .literal(let number): number.double
        default: nil
        }
    }

    /// The number as an integer, if it is one.
    var asInteger: Int64? {
        switch self {
        case .integer(let integer): integer
        case .double(let double): Int64(exactly: double)
        case .literal(let number): number.int64
        default: nil
        }
    }

    var asText: String? { if case .string(let string) = self { string.text } else { nil } }

    /// The elements of an array.
    func array(_ meter: Meter) throws(JQError) -> [Value]? {
        if case .array(let array) = self { return array.elements }
        guard rank == 5, case .array(let array) = try opened(meter) else { return nil }
        return array.elements
    }

    /// An object with its members open.
    func object(_ meter: Meter) throws(JQError) -> ValueObject? {
        if case .object(let object) = self { return object }
        guard rank == 6, case .object(let object) = try opened(meter) else { return nil }
        return object
    }

    /// The elements of an array, or the values of an object.
    func members(_ meter: Meter) throws(JQError) -> [Value]? {
        if rank == 5 { return try array(meter) }
        return try object(meter)?.members.map(\.value)
    }

    /// jq's order of types.
    var rank: Int {
        switch self {
        case .null: 0
        case .bool(false): 1
        case .bool(true): 2
        case .integer, .double, .literal: 3
        case .string: 4
        case .array, .json(.array): 5
        case .object, .json: 6
        case .view(let view): view.kind == .array ? 5 : 6
        case .deep(let deep): deep.isObject ? 6 : 5
        }
    }

    var typeName: String { ["null", "boolean", "boolean", "number", "string", "array", "object"][rank] }

    var levels: Levels {
        switch self {
        case .array(let array): array.levels
        case .object(let object): object.levels
        default: .none
        }
    }
}

/// An array, with the nesting depth of the engine's own values in it.
struct ValueArray: Sendable {
    private(set) var elements: [Value]
    private(set) var levels = Levels.container

    init(_ elements: [Value]) {
        self.elements = elements
        for at in elements.indices where levels.include(elements[at].levels) {
            self.elements[at] = .deep(Deep(elements[at]))
        }
    }

    /// An array of values from outside.
    init(shallow elements: [Value]) { self.elements = elements }

    mutating func append(_ value: Value) { elements.append(levels.include(value)) }

    mutating func append(contentsOf other: ValueArray) {
        levels.include(contentOf: other.levels)
        elements.append(contentsOf: other.elements)
    }

    mutating func pad(to count: Int) {
        if elements.count < count { elements.append(contentsOf: repeatElement(.null, count: count - elements.count)) }
    }

    /// Takes an element out, leaving `null`, so that it can be changed without a copy.
    mutating func take(_ at: Int) -> Value {
        var value = Value.null
        swap(&value, &elements[at])
        return value
    }

    mutating func put(_ at: Int, _ value: Value) { elements[at] = levels.include(value) }

    mutating func remove(_ isRemoved: (Int) -> Bool) {
        elements = elements.enumerated().filter { !isRemoved($0.offset) }.map(\.element)
    }

    mutating func replace(_ range: Range<Int>, with other: ValueArray) {
        levels.include(contentOf: other.levels)
        elements.replaceSubrange(range, with: other.elements)
    }
}

/// An object in insertion order.
struct ValueObject: Sendable {
    struct Member: Sendable {
        var key: JSONString
        var value: Value
        init(_ key: JSONString, _ value: Value) {
            self.key = key
            self.value = value
        }
    }

    private(set) var members: [Member]
    private(set) var levels = Levels.container
    /// Positions by key, once a linear search would cost more.
    private var positions: [JSONString: Int]?

    init(_ members: [Member] = []) {
        self.members = []
        self.members.reserveCapacity(members.count)
        for member in members { put(member.key, member.value) }
    }

    /// An object of members from outside, whose keys are known to differ.
    init(distinct members: [Member]) {
        self.members = members
        indexIfLarge()
    }

    /// An object of members with distinct keys, which may include the engine's own values.
    init(different members: [Member]) {
        self.init(distinct: members)
        for at in members.indices where levels.include(members[at].value.levels) {
            self.members[at].value = .deep(Deep(members[at].value))
        }
    }

    private mutating func indexIfLarge() {
        guard members.count > 16 else { return }
        positions = Dictionary(members.enumerated().map { ($1.key, $0) }) { first, _ in first }
    }

    func position(_ key: JSONString) -> Int? {
        if let positions { return positions[key] }
        return members.firstIndex { $0.key == key }
    }

    subscript(key: JSONString) -> Value? { position(key).map { members[$0].value } }

    mutating func put(_ key: JSONString, _ value: Value) {
        let value = levels.include(value)
        if let at = position(key) {
            members[at].value = value
        } else {
            members.append(Member(key, value))
            if positions != nil { positions?[key] = members.count - 1 } else { indexIfLarge() }
        }
    }

    /// Takes a member's value out, leaving `null` in its place.
    mutating func take(_ key: JSONString) -> Value? {
        guard let at = position(key) else { return nil }
        var value = Value.null
        swap(&value, &members[at].value)
        return value
    }

    mutating func remove(_ keys: Set<JSONString>) {
        members.removeAll { keys.contains($0.key) }
        positions = nil
        indexIfLarge()
    }

    var sortedKeys: [JSONString] { members.map(\.key).sorted() }
}
