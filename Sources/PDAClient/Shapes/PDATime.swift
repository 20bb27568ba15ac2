internal import LosslessJSON
public import PlugCore

/// A moment as a PDA writes it; the text is kept.
///
/// PDAs write `2024-05-06T07:08:09.010Z` in some places and `2024-05-06T07:08:09+0000` in others, and also accept
/// milliseconds since 1970.
public struct PDATime: Sendable, Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// ISO 8601, or the digits of a number of milliseconds since 1970.
    public let text: String
    private let isNumber: Bool

    /// A moment as text; nothing is checked.
    public init(_ text: String) { (self.text, isNumber) = (text, false) }
    /// A moment as text.
    public init(stringLiteral value: String) { self.init(value) }
    /// A moment, written as `2024-05-06T07:08:09.010Z`.
    public init(_ timestamp: Timestamp) { self.init(timestamp.rfc3339) }

    private init(milliseconds text: String) { (self.text, isNumber) = (text, true) }

    /// The moment, `nil` if the text is not one.
    public var timestamp: Timestamp? { isNumber ? Timestamp(epochMilliseconds: text) : Timestamp(text) }
    /// The text.
    public var description: String { text }
}

extension PDATime: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> PDATime {
        if let number = value.number { return PDATime(milliseconds: number.text) }
        guard let text = value.stringText else {
            throw .undecodable(path, "should be a time as a string, not \(value.article)")
        }
        return PDATime(text)
    }

    var written: JSONValue {
        if isNumber, let number = JSONNumber(text) { .number(number) } else { .text(text) }
    }
}
