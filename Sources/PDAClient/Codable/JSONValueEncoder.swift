internal import Foundation
public import LosslessJSON

/// Encodes your own types as a `JSONValue` without losing digits. Members keep the order in which they are encoded.
public struct JSONValueEncoder: Sendable {
    /// An encoder.
    public init() {}

    /// Encodes a value.
    ///
    /// - Throws: `EncodingError` with the coding path, for example for a number that is not finite.
    public func encode(_ value: some Encodable) throws -> JSONValue {
        let node = EncodedNode()
        try ValueEncoder(node: node, codingPath: []).encode(value)
        return node.value
    }
}

/// A value under construction, shared by its containers.
final class EncodedNode {
    enum Content {
        case nothing
        case value(JSONValue)
        case object([(key: String, node: EncodedNode)])
        case array([EncodedNode])
    }

    var content = Content.nothing

    var value: JSONValue {
        switch content {
        case .nothing: .object(JSONObject())
        case .value(let value): value
        case .object(let members): .object(JSONObject(members.map { (JSONString($0.key), $0.node.value) }))
        case .array(let nodes): .array(nodes.map(\.value))
        }
    }

    func member(_ key: String) -> EncodedNode {
        let node = EncodedNode()
        var members: [(key: String, node: EncodedNode)] = []
        if case .object(let known) = content { members = known }
        // Release the only other reference, or each member would copy those before it.
        content = .nothing
        members.append((key, node))
        content = .object(members)
        return node
    }

    func element() -> EncodedNode {
        let node = EncodedNode()
        var nodes: [EncodedNode] = []
        if case .array(let known) = content { nodes = known }
        content = .nothing
        nodes.append(node)
        content = .array(nodes)
        return node
    }

    var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }
}

struct ValueEncoder: Encoder {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .nothing = node.content { node.content = .object([]) }
        return KeyedEncodingContainer(KeyedNodes(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .nothing = node.content { node.content = .array([]) }
        return UnkeyedNodes(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { node.content = .value(.null) }
    func encode(_ value: Bool) { node.content = .value(.bool(value)) }
    func encode(_ value: String) { node.content = .value(.text(value)) }
    func encode(_ value: Double) throws { try number(value.isFinite ? JSONNumber(value)?.text : nil, value) }
    func encode(_ value: Float) throws { try number(value.isFinite ? "\(value)" : nil, value) }
    func encode(_ value: Int) throws { try number("\(value)", value) }
    func encode(_ value: Int8) throws { try number("\(value)", value) }
    func encode(_ value: Int16) throws { try number("\(value)", value) }
    func encode(_ value: Int32) throws { try number("\(value)", value) }
    func encode(_ value: Int64) throws { try number("\(value)", value) }
    func encode(_ value: UInt) throws { try number("\(value)", value) }
    func encode(_ value: UInt8) throws { try number("\(value)", value) }
    func encode(_ value: UInt16) throws { try number("\(value)", value) }
    func encode(_ value: UInt32) throws { try number("\(value)", value) }
    func encode(_ value: UInt64) throws { try number("\(value)", value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        switch value {
        case let decimal as Decimal: try number(decimal.description, decimal)
        case let url as URL: encode(url.absoluteString)
        default: try value.encode(to: self)
        }
    }

    private func number(_ text: String?, _ value: Any) throws {
        guard let text, let number = JSONNumber(text) else {
            let context = EncodingError.Context(codingPath: codingPath, debugDescription: "JSON has no such number")
            throw EncodingError.invalidValue(value, context)
        }
        node.content = .value(.number(number))
    }
}

struct KeyedNodes<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: EncodedNode
    let codingPath: [any CodingKey]

    func encodeNil(forKey key: Key) { encoder(key).encodeNil() }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try encoder(key).encode(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<
        Nested
    > {
        encoder(key).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder(PathKey(stringValue: "super")) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: any CodingKey) -> ValueEncoder {
        ValueEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
    }
}

struct UnkeyedNodes: UnkeyedEncodingContainer {
    let node: EncodedNode
    let codingPath: [any CodingKey]
    var count: Int { node.count }

    func encodeNil() { encoder().encodeNil() }
    func encode<Value: Encodable>(_ value: Value) throws { try encoder().encode(value) }
    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder() }

    private func encoder() -> ValueEncoder {
        let key = PathKey(intValue: count)
        return ValueEncoder(node: node.element(), codingPath: codingPath + [key])
    }
}
