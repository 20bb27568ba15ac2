internal import PlugCore

/// An error for somebody in a browser. What is said to those at a terminal is left out.
struct PageProblem: Sendable {
    private let message: String
    private let given: String?

    init(_ error: PlugError) { self.init(message: error.message, advice: error.advice) }

    init(message: String, advice: String?) { (self.message, given) = (message, advice) }

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
