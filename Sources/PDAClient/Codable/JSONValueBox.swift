public import LosslessJSON

/// A `JSONValue` as a member of your own `Codable` type. Only `JSONValueDecoder` and `JSONValueEncoder` support it.
public struct JSONValueBox: Codable, Sendable {
    /// The value, with every digit.
    public var value: JSONValue

    /// Boxes a value.
    public init(_ value: JSONValue) { self.value = value }

    /// Decodes the value unchanged.
    ///
    /// - Throws: `DecodingError` with any other decoder.
    public init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? ValueDecoder else {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "only JSONValueDecoder keeps every digit"
            )
            throw DecodingError.typeMismatch(JSONValue.self, context)
        }
        value = decoder.value
    }

    /// Encodes the value unchanged.
    ///
    /// - Throws: `EncodingError` with any other encoder.
    public func encode(to encoder: any Encoder) throws {
        guard let encoder = encoder as? ValueEncoder else {
            let context = EncodingError.Context(
                codingPath: encoder.codingPath,
                debugDescription: "only JSONValueEncoder keeps every digit"
            )
            throw EncodingError.invalidValue(self, context)
        }
        encoder.node.content = .value(value)
    }
}
