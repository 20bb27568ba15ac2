package import LosslessJSON

/// The contents of a new plug, before they become text: one stream, its configuration, and records to test it with.
package struct PlugDraft: Sendable, Equatable {
    /// A question for the person.
    package struct Question: Sendable, Equatable {
        /// The key in `config`.
        package var key: String
        /// The text of the question.
        package var title: String
        /// The type of the answer: `string`, `integer`, …
        package var type = "string"
        /// Whether the answer is hidden.
        package var isSecret = false
        /// The answer in a fixture.
        package var answer: JSONValue = .text("example")
    }

    /// A member of the delivered record.
    package struct Member: Sendable, Equatable {
        /// Its name, in camel case.
        package var name: String
        /// The program that produces it.
        package var program: String
        /// The cast, `time` or `date`; `nil` to keep the value unchanged.
        package var cast: String?
    }

    /// How the next page is found.
    package enum Paging: Sendable, Equatable {
        case none
        /// A token in the answer that is sent in a parameter.
        case cursor(from: String, parameter: String)
        /// An address in the answer.
        case next(String)
        /// The `Link` header.
        case link
        /// A page number, or the number of records to skip; the pages end with an empty one.
        case number(parameter: String, sizeParameter: String?, size: Int)
        case offset(parameter: String, sizeParameter: String?, size: Int)
    }

    /// The plug's id.
    package var id: String
    /// The service's name.
    package var name: String
    /// The address that paths are resolved against.
    package var base: String
    /// The service's terms.
    package var terms: String
    /// The questions for `config`.
    package var questions: [Question] = []
    /// The value of `auth:`, as YAML on one line.
    package var auth = "none"
    /// The query parameter that `auth` puts its key into.
    package var keyParameter: String?
    /// The stream's name, and its endpoint.
    package var stream: String
    /// The path, with templates.
    package var path: String
    /// Parameters of the query: names, and texts or templates.
    package var query: [(name: String, value: String)] = []
    /// Headers: names, and texts or templates.
    package var headers: [(name: String, value: String)] = []
    /// The program of `records`.
    package var records: String
    /// How the next page is found.
    package var paging = Paging.none
    /// The program of `key`, over the source's record.
    package var key: String
    /// The program of `version`, or `content` or `none`.
    package var version: String
    /// The members of the delivered record.
    package var members: [Member]
    /// The names of members that were not taken over, for a comment.
    package var leftOut: [String] = []
    /// Source records for the fixture: at least one.
    package var examples: [JSONValue]
    /// How the answer contains the records.
    package var answer: Answer

    /// An answer containing records.
    package enum Answer: Sendable, Equatable {
        /// A list of records.
        case list
        /// An object, with the list at a path of members, and other members as they are on the last page.
        case object(path: [String], others: JSONValue)
        /// One record, which is at a path of members, or is the whole answer.
        case single(path: [String])
    }

    /// Compares the texts.
    package static func == (left: PlugDraft, right: PlugDraft) -> Bool {
        left.manifest == right.manifest && left.fixture == right.fixture && left.readme == right.readme
    }
}
