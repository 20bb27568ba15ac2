/// The codes of errors that are met at work, by the part of plughost that gives them.
enum RunCodes {
    static let all: [Explanation] = deadLetters + demo

    static func code(_ code: String, _ cause: String, _ fix: String) -> Explanation {
        Explanation(code: code, kind: "run", cause: cause, example: nil, fix: fix)
    }
}
