internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// How a value is written, without its content: `17 Nov 2023` has the form `99 Aaa 9999`. Messages about records go to lists and
/// logs, which must contain neither secrets nor personal data.
struct ValueShape: CustomStringConvertible {
    /// How much of a long text is shown.
    private static let limit = 24

    /// The form.
    let description: String

    /// A digit becomes `9`, a letter `a` or `A`, and anything else that is not an ASCII symbol `?`.
    init(_ text: String) {
        var form = ""
        for scalar in text.unicodeScalars.prefix(Self.limit) {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .decimalNumber: form.append("9")
            case .uppercaseLetter, .titlecaseLetter: form.append("A")
            case _ where properties.isAlphabetic: form.append("a")
            default: form.unicodeScalars.append(scalar.isASCII ? scalar : "?")
            }
        }
        description = DisplayText.escaped(form) + (text.unicodeScalars.count > Self.limit ? "…" : "")
    }
}

/// What to write in the manifest if a cast does not accept a value.
enum CastAdvice {
    /// - Parameters:
    ///   - value: The value that the cast did not accept.
    ///   - cast: Whether it is `time` or `date`, or a number, and how it reads them.
    static func advice(_ value: JSONValue, _ cast: FieldCast) -> String? {
        guard let text = value.stringText else { return nil }
        switch cast.cast {
        case .time(let reading) where reading.formats.isEmpty, .date(let reading) where reading.formats.isEmpty:
            return times(text, cast)
        case .integer(nil), .decimal(nil): return numbers(text, cast)
        case .boolean(nil) where !text.isEmpty:
            return "say which texts mean what, as in '\(cast.name): {boolean: {true: […], false: […]}}'"
        default: return nil
        }
    }

    private static func times(_ text: String, _ cast: FieldCast) -> String {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let isNumber = digits.count == text.count || Timestamp(epoch: text) != nil
        let units = [
            ("epoch", 9...11, "seconds"), ("epoch_ms", 12...14, "milliseconds"), ("epoch_us", 15...17, "microseconds"),
        ]
        if isNumber, let unit = units.first(where: { $0.1.contains(digits.count) }) {
            return "if it counts \(unit.2) since 1970, write '\(cast.name): {\(cast.cast.word): {format: \(unit.0)}}'"
        }
        return "say how it is written, as in '\(cast.name): {\(cast.cast.word): {format: \"%d %b %Y\"}}'"
    }

    private static func numbers(_ text: String, _ cast: FieldCast) -> String? {
        let signs = text.filter { !($0.isASCII && $0.isNumber) }
        guard text.contains(where: \.isNumber), !signs.isEmpty, !signs.contains(where: \.isLetter) else { return nil }
        return "say how it is written, as in '\(cast.name): {\(cast.cast.word): {point: \",\", group: \".\"}}'"
    }
}
