internal import LosslessJSON

/// The types that a member of a shape can have.
protocol MemberValue: Sendable {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> Self
    var written: JSONValue { get }
}

extension JSONValue: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> JSONValue { value }
    var written: JSONValue { self }
}

extension String: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> String {
        guard let text = value.stringText else {
            throw .undecodable(path, "should be a string, not \(value.article)")
        }
        return text
    }

    var written: JSONValue { .text(self) }
}

extension Bool: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> Bool {
        guard let bool = value.bool else { throw .undecodable(path, "should be a boolean, not \(value.article)") }
        return bool
    }

    var written: JSONValue { .bool(self) }
}

extension Int: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> Int {
        guard let number = value.number else {
            throw .undecodable(path, "should be a whole number, not \(value.article)")
        }
        guard let whole = number.int64 else { throw .undecodable(path, "should be a whole number of 64 bits") }
        return Int(whole)
    }

    var written: JSONValue { .integer(self) }
}

extension JSONNumber: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> JSONNumber {
        guard let number = value.number else {
            throw .undecodable(path, "should be a number, not \(value.article)")
        }
        return number
    }

    var written: JSONValue { .number(self) }
}

extension Array: MemberValue where Element: MemberValue {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> [Element] {
        guard let elements = value.elements else {
            throw .undecodable(path, "should be an array, not \(value.article)")
        }
        var read: [Element] = []
        for (at, element) in elements.enumerated() { read.append(try Element.read(element, at: "\(path)[\(at)]")) }
        return read
    }

    var written: JSONValue { .array(map(\.written)) }
}

/// An open enumeration of words: unknown ones are kept.
protocol OpenWord: MemberValue, RawRepresentable<String> {
    init(rawValue: String)
}

extension OpenWord {
    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> Self {
        Self(rawValue: try String.read(value, at: path))
    }

    var written: JSONValue { .text(rawValue) }
}
