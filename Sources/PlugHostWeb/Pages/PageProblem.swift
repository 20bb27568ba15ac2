internal import PlugCore

/// An error for a person in a browser. Advice for people at a terminal is left out.
struct PageProblem: Sendable {
    private let message: String
    private let given: String?

    init(_ error: PlugError) { self.init(code: error.code.text, message: error.message, advice: error.advice) }

    /// For an error aimed at people at a terminal, its code selects the text for people in a browser.
    init(code: String, message: String, advice: String?) {
        let trouble = RunTrouble(code: code, message: message, for: .person)
        (self.message, given) =
            switch code {
            case "source-unauthorised":
                (
                    "the service refused the log-in or the key",
                    "check it for typing mistakes, and whether it may read what the plug reads"
                )
            case "plug-needs-file":
                (
                    "this plug reads a file that you download from the service, and these pages take no files",
                    "whoever runs this host can read it for you"
                )
            case "token-refused": ("the service did not agree to what the plug asks for", nil)
            case _ where trouble.remedy == .time: (trouble.what, "Wait a moment, and try again.")
            case _ where trouble.replacesMessage: (trouble.what, nil)
            default: (message, advice)
            }
    }

    /// Text that marks advice as meant for people at a terminal or for plug authors.
    private static let ofTerminals = [
        "plughost ", "--", "manifest", "'auth", "token.", "'check'", "developer", "API key",
    ]

    /// What happened.
    var sentence: String { message.sentence }

    /// What to do; `nil` if only someone at a terminal could do it.
    var advice: String? {
        guard let given, !Self.ofTerminals.contains(where: given.contains) else { return nil }
        return given.sentence
    }

    /// Both, for a page.
    var html: HTML {
        let fallback = "If it happens again, tell whoever runs this host."
        return "<p>\(sentence)</p><p>\(advice ?? fallback)</p>"
    }
}
