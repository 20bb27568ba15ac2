internal import LosslessJSON
internal import PlugManifest

extension NumberReading {
    /// The number that a text writes, with its digits; `nil` for any other text.
    ///
    /// Groups have three digits, or the text means something else: `1.234,5` and `1,5` are numbers with points between
    /// groups, `1.5` and `12.34,5` are not. Nor is anything with a redundant leading zero.
    func number(_ text: String) -> JSONNumber? {
        var rest = text.unicodeScalars[...]
        var written = ""
        if let sign = rest.first, ["-", "+", "\u{2212}"].contains(sign) {
            if sign != "+" { written = "-" }
            rest = rest.dropFirst()
        }
        var (count, run, hasGroups) = (0, 0, false)
        while let scalar = rest.first {
            if Self.isDigit(scalar) {
                if count == 1, written.last == "0" { return nil }
                written.unicodeScalars.append(scalar)
                count += 1
                run += 1
            } else if separates(scalar) {
                guard hasGroups ? run == 3 : 1...3 ~= run else { return nil }
                hasGroups = true
                run = 0
            } else {
                break
            }
            rest = rest.dropFirst()
        }
        guard count > 0, !hasGroups || run == 3 else { return nil }
        if let scalar = rest.first {
            let fraction = rest.dropFirst()
            guard String(scalar) == point, !fraction.isEmpty, fraction.allSatisfy(Self.isDigit) else { return nil }
            written += "." + String(fraction)
        }
        return JSONNumber(written)
    }

    private func separates(_ scalar: Unicode.Scalar) -> Bool {
        switch group {
        case .point: scalar == "."
        case .comma: scalar == ","
        case .apostrophe: scalar == "'" || scalar == "\u{2019}"
        case .space: scalar == " " || scalar == "\u{A0}" || scalar == "\u{202F}"
        case nil: false
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { 0x30...0x39 ~= scalar.value }
}
