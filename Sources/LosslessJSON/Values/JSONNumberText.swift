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
