/// One header field.
public struct HTTPHeader: Sendable, Equatable {
    /// The name as it was written; names are compared case-insensitively.
    public var name: String
    /// The value, without the blanks around it.
    public var value: String

    /// A header field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The header fields of a response, in order.
public struct HTTPHeaders: Sendable, Equatable {
    /// All of them.
    public var fields: [HTTPHeader]

    /// A list of header fields.
    public init(_ fields: [HTTPHeader] = []) { self.fields = fields }

    /// The value of the first field of that name; `nil` if there is none. Case does not matter.
    public func first(_ name: String) -> String? { fields.first { equalsIgnoringCase($0.name, name) }?.value }

    /// The values of all fields of that name, in order. Case does not matter.
    public func all(_ name: String) -> [String] {
        fields.filter { equalsIgnoringCase($0.name, name) }.map(\.value)
    }
}

/// Whether two ASCII words are equal ignoring case.
///
/// Inlined up to the comparison of lengths, because most words differ in length.
@inline(__always)
func equalsIgnoringCase(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && haveEqualLetters(left, right)
}

private func haveEqualLetters(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
        right.withUTF8 { right in left.elementsEqual(right) { lowerCased($0) == lowerCased($1) } }
    }
}

/// ASCII text with its letters in lower case, built in place.
func lowerCasedText(_ bytes: ArraySlice<UInt8>) -> String {
    String(unsafeUninitializedCapacity: bytes.count) { text in
        var count = 0
        for byte in bytes {
            text[count] = lowerCased(byte)
            count += 1
        }
        return count
    }
}

/// An ASCII letter in lower case; every other byte unchanged.
func lowerCased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
