internal import PlugCore

/// An error for somebody in a browser. What is said to those at a terminal is left out.
struct PageProblem: Sendable {
    private let message: String
    private let given: String?

    init(_ error: PlugError) { self.init(code: error.code.text, message: error.message, advice: error.advice) }

    /// Where an error is for people at a terminal, its code says what people in a browser read.
    init(code: String, message: String, advice: String?) {
        let trouble = RunTrouble(code: code, message: message)
        (self.message, given) =
            switch (code, trouble.remedy) {
            case ("source-unauthorised", _):
                (
                    "the service refused the log-in or the key",
                    "look for a typing mistake, and whether it may read what the plug reads"
                )
            case (_, .time): (trouble.what, "Wait a moment, and try again.")
            default: (message, advice)
            }
    }

    /// What happened.
    var sentence: String { message.sentence }

    /// What to do; `nil` where only somebody at a terminal could do it.
    var advice: String? {
        guard let given, !["plughost ", "--", "manifest"].contains(where: given.contains) else { return nil }
        return given.sentence
    }

    /// Both, for a page.
    var html: HTML {
        let fallback = "If it happens again, tell whoever runs this host."
        return "<p>\(sentence)</p><p>\(advice ?? fallback)</p>"
    }
}
