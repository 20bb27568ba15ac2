internal import LosslessJSON

/// A key made by this module: an index, or `super`.
struct PathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }
}

struct KeyedValues<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: JSONObject
    let codingPath: [any CodingKey]
    var allKeys: [Key] { object.keys.compactMap { Key(stringValue: $0.text) } }

    func contains(_ key: Key) -> Bool { object[JSONString(key.stringValue)] != nil }
    func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder(key).decode(type) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try decoder(key).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(PathKey(stringValue: "super")) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func decoder(_ key: any CodingKey) throws -> ValueDecoder {
        guard let value = object[JSONString(key.stringValue)] else {
            let context = DecodingError.Context(
                codingPath: codingPath,
                debugDescription: "there is no member '\(key.stringValue)'"
            )
            throw DecodingError.keyNotFound(key, context)
        }
        return ValueDecoder(value: value, codingPath: codingPath + [key])
    }
}

struct UnkeyedValues: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    mutating func decodeNil() throws -> Bool {
        let isNull = try decoder(Any?.self).decodeNil()
        if isNull { currentIndex += 1 }
        return isNull
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try decoder(type).decode(type)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested>
    {
        let container = try decoder([String: Any].self).container(keyedBy: type)
        currentIndex += 1
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoder([Any].self).unkeyedContainer()
        currentIndex += 1
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try decoder((any Decoder).self)
        currentIndex += 1
        return decoder
    }

    private func decoder(_ type: Any.Type) throws -> ValueDecoder {
        let path = codingPath + [PathKey(intValue: currentIndex)]
        guard !isAtEnd else {
            let context = DecodingError.Context(codingPath: path, debugDescription: "the array has no more elements")
            throw DecodingError.valueNotFound(type, context)
        }
        return ValueDecoder(value: elements[currentIndex], codingPath: path)
    }
}
