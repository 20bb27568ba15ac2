internal import Foundation
public import LosslessJSON

/// Decodes your own types from a `JSONValue` without losing digits.
///
/// An integer type accepts a number only if it is exactly that integer (`1.0` and `1e2` are), `Decimal` only if it can hold
/// every digit; `Double` and `Float` take the nearest value. `JSONValue` itself passes through unchanged, and `URL` is a
/// string.
public struct JSONValueDecoder: Sendable {
    /// A decoder.
    public init() {}

    /// Decodes a value.
    ///
    /// - Throws: `DecodingError` with the coding path of the mismatch.
    public func decode<Value: Decodable>(_ type: Value.Type = Value.self, from value: JSONValue) throws -> Value {
        try ValueDecoder(value: value, codingPath: []).decode(type)
    }
}

struct ValueDecoder: Decoder {
    let value: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard let object = value.object else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(KeyedValues(object: object, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard let elements = value.elements else { throw mismatch([Any].self) }
        return UnkeyedValues(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

    func mismatch(_ type: Any.Type) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: codingPath,
            debugDescription: "expected \(type), found \(value.typeName)"
        )
        return value.isNull ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func unfit(_ type: Any.Type) -> DecodingError {
        .dataCorrupted(
            DecodingError.Context(codingPath: codingPath, debugDescription: "the number does not fit \(type) exactly")
        )
    }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard let bool = value.bool else { throw mismatch(type) }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard let text = value.stringText else { throw mismatch(type) }
        return text
    }

    func decode(_ type: Double.Type) throws -> Double {
        guard let number = value.number else { throw mismatch(type) }
        guard number.double.isFinite else { throw unfit(type) }
        return number.double
    }

    func decode(_ type: Float.Type) throws -> Float {
        let float = Float(try decode(Double.self))
        guard float.isFinite else { throw unfit(type) }
        return float
    }

    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if type == JSONValueBox.self, let box = JSONValueBox(value) as? Value { return box }
        if type == Decimal.self, let decimal = try decimal() as? Value { return decimal }
        if type == URL.self {
            guard let url = URL(string: try decode(String.self)) as? Value else { throw mismatch(type) }
            return url
        }
        return try Value(from: self)
    }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        guard let number = value.number else { throw mismatch(type) }
        if let plain = Value(number.text) { return plain }
        guard let whole = number.int64, let fitting = Value(exactly: whole) else { throw unfit(type) }
        return fitting
    }

    private func decimal() throws -> Decimal {
        guard let number = value.number else { throw mismatch(Decimal.self) }
        guard let decimal = Decimal(string: number.text, locale: Locale(identifier: "en_US_POSIX")),
            JSONNumber(decimal.description) == number
        else { throw unfit(Decimal.self) }
        return decimal
    }
}
