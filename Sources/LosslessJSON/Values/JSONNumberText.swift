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
    /// How many bytes at the start of `bytes` are a number, 0 where there is none.
    @inline(__always)
    static func length(of bytes: some Collection<UInt8>) -> Int {
        bytes.withContiguousStorageIfAvailable { length(in: $0, from: 0) } ?? length(in: bytes)
    }

    private static func length(in bytes: some Collection<UInt8>) -> Int {
        Array(bytes).withUnsafeBufferPointer { length(in: $0, from: 0) }
    }

    /// How many bytes from `start` on are a number, 0 where there is none.
    @inline(__always)
    static func length(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var at = start
        let end = bytes.count
        func isDigit() -> Bool { at < end && bytes[at] &- 0x30 < 10 }
        if at < end, bytes[at] == UInt8(ascii: "-") { at &+= 1 }
        guard isDigit() else { return 0 }
        if bytes[at] == UInt8(ascii: "0") { at &+= 1 } else { while isDigit() { at &+= 1 } }
        if at < end, bytes[at] == UInt8(ascii: ".") {
            at &+= 1
            guard isDigit() else { return 0 }
            while isDigit() { at &+= 1 }
        }
        if at < end, bytes[at] | 0x20 == UInt8(ascii: "e") {
            at &+= 1
            if at < end, bytes[at] == UInt8(ascii: "+") || bytes[at] == UInt8(ascii: "-") { at &+= 1 }
            guard isDigit() else { return 0 }
            while isDigit() { at &+= 1 }
        }
        return at - start
    }
}
