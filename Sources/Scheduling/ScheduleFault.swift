package import PlugCore

/// Why a schedule cannot be used, and where in its text.
package struct ScheduleFault: Error, Sendable, Equatable {
    /// What kind of fault it is.
    package let code: PlugError.Code
    /// What is wrong, without a final full stop.
    package let message: String
    /// What to write instead.
    package let advice: String
    /// Where in the text: Unicode scalars from 0. Empty where something is missing.
    package let place: Range<Int>

    init(_ code: PlugError.Code, _ message: String, advice: String, at place: Range<Int>) {
        self.code = code
        self.message = message
        self.advice = advice
        self.place = place
    }

    /// A fault of a text as a whole.
    init(_ code: PlugError.Code, _ message: String, advice: String, in text: String) {
        self.init(code, message, advice: advice, at: 0..<text.unicodeScalars.count)
    }

    /// The error for the person at the terminal, who has no caret to show the place.
    package var plugError: PlugError {
        PlugError(code, "\(message), at character \(place.lowerBound + 1)", advice: advice, reach: .run)
    }

    /// Text from outside in a message: in quotes, without control characters, and not longer than a line.
    static func quoted(_ text: some StringProtocol) -> String {
        let isLong = text.unicodeScalars.count > 40
        let shown = isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(39))) + "…" : String(text)
        return "'\(DisplayText.escaped(shown))'"
    }
}
