package import PlugCore

/// Why a schedule cannot be used, and where in its text the fault is.
package struct ScheduleFault: Error, Sendable, Equatable {
    /// The kind of fault.
    package let code: PlugError.Code
    /// What is wrong, without the final full stop.
    package let message: String
    /// What to write instead.
    package let advice: String
    /// The place in the text: Unicode scalars from 0. Empty if something is missing.
    package let place: Range<Int>

    init(_ code: PlugError.Code, _ message: String, advice: String, at place: Range<Int>) {
        self.code = code
        self.message = message
        self.advice = advice
        self.place = place
    }

    /// A fault of the text as a whole.
    init(_ code: PlugError.Code, _ message: String, advice: String, in text: String) {
        self.init(code, message, advice: advice, at: 0..<text.unicodeScalars.count)
    }

    /// The error for the person at the terminal, where no caret shows the place.
    package var plugError: PlugError {
        PlugError(code, "\(message), at character \(place.lowerBound + 1)", advice: advice, reach: .run)
    }

    /// External text for a message: quoted, without control characters, and no longer than a line.
    static func quoted(_ text: some StringProtocol) -> String {
        let isLong = text.unicodeScalars.count > 40
        let shown = isLong ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(39))) + "…" : String(text)
        return "'\(DisplayText.escaped(shown))'"
    }
}
