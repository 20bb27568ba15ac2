internal import LosslessJSON

/// A data debit's period on the wire: a number of milliseconds, or, as servers also accept, `PT86400S`.
struct Period: MemberValue {
    let duration: Duration

    init(_ duration: Duration) { self.duration = duration }

    /// Whole milliseconds, `nil` if it is invalid, negative or too long for 64 bits.
    var milliseconds: Int64? {
        let (seconds, attoseconds) = duration.components
        let perMillisecond: Int64 = 1_000_000_000_000_000
        guard seconds >= 0, attoseconds >= 0, attoseconds % perMillisecond == 0 else { return nil }
        let (scaled, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, overflowsAgain) = scaled.addingReportingOverflow(attoseconds / perMillisecond)
        return overflows || overflowsAgain ? nil : sum
    }

    /// Why it cannot be sent, `nil` if it can.
    var fault: String? {
        if duration < .zero { return "is negative" }
        return milliseconds == nil ? "is not a whole number of milliseconds" : nil
    }

    static func read(_ value: JSONValue, at path: String) throws(PDAError) -> Period {
        let milliseconds: Int64
        if let number = value.number {
            guard let whole = number.int64 else { throw .undecodable(path, "is not a whole number of milliseconds") }
            milliseconds = whole
        } else if let text = value.stringText {
            guard let whole = Self.milliseconds(iso: text) else {
                throw .undecodable(path, "is neither a number of milliseconds nor a duration such as PT86400S")
            }
            milliseconds = whole
        } else {
            throw .undecodable(path, "should be a number of milliseconds, not \(value.article)")
        }
        guard milliseconds >= 0 else { throw .undecodable(path, "is negative") }
        return Period(.milliseconds(milliseconds))
    }

    private static func milliseconds(iso text: String) -> Int64? {
        guard text.hasPrefix("PT"), text.hasSuffix("S"), text.utf8.count > 3,
            let number = JSONNumber("\(text.dropFirst(2).dropLast())e3")
        else { return nil }
        return number.int64
    }

    var written: JSONValue {
        // Anything sent was checked before; the rest is only displayed, and reads as what it is.
        milliseconds.map { .number(JSONNumber($0)) } ?? .text("\(duration)")
    }
}
