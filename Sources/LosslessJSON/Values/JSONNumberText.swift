/// Writes doubles as JSON numbers.
enum JSONNumberText {
    /// The shortest text that reads back as the same double: an integer without a point up to 1e17, else as Swift
    /// prints it, with a JSON exponent.
    static func text(of value: Double) -> String {
        if value == value.rounded(), abs(value) < 1e17 { return value == 0 ? "0" : String(Int64(value)) }
        let text = "\(value)"
        guard text.hasSuffix(".0") else { return text.replacingFirst(".0e", with: "e") }
        return String(text.dropLast(2))
    }
}

extension String {
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}

/// JSON's grammar of numbers, over bytes.
enum JSONNumberGrammar {
    /// The end of the number at `start`, 0 if there is none. A byte that no number contains, such as a zero, follows the bytes.
    @inline(__always)
    static func end(in bytes: UnsafePointer<UInt8>, from start: Int) -> Int {
        var at = bytes + start
        if at.pointee == UInt8(ascii: "-") { at += 1 }
        guard isDigit(at) else { return 0 }
        if at.pointee == UInt8(ascii: "0") { at += 1 } else { skipDigits(&at) }
        if at.pointee == UInt8(ascii: ".") {
            at += 1
            guard isDigit(at) else { return 0 }
            skipDigits(&at)
        }
        if at.pointee | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at.pointee == UInt8(ascii: "+") || at.pointee == UInt8(ascii: "-") { at += 1 }
            guard isDigit(at) else { return 0 }
            skipDigits(&at)
        }
        return at - bytes
    }

    @inline(__always)
    private static func isDigit(_ at: UnsafePointer<UInt8>) -> Bool { at.pointee &- 0x30 < 10 }

    @inline(__always)
    private static func skipDigits(_ at: inout UnsafePointer<UInt8>) { repeat { at += 1 } while isDigit(at) }
}
