package import LosslessJSON

/// What a new plug is made of, before it is text: one stream, its configuration, and records to test it with.
package struct PlugDraft: Sendable, Equatable {
    /// Something that the person is asked.
    package struct Question: Sendable, Equatable {
        /// The key in `config`.
        package var key: String
        /// What the person reads.
        package var title: String
        /// `string`, `integer`, …
        package var type = "string"
        /// Whether it is hidden.
        package var isSecret = false
        /// What a fixture answers.
        package var answer: JSONValue = .text("example")
    }

    /// A member of the delivered record.
    package struct Member: Sendable, Equatable {
        /// Its name, in camel case.
        package var name: String
        /// The program that gives it.
        package var program: String
        /// `time`, `date`; `nil` for what stays as it is.
        package var cast: String?
    }

    /// How the next page is found.
    package enum Paging: Sendable, Equatable {
        case none
        /// A token of the answer goes into a parameter.
        case cursor(from: String, parameter: String)
        /// An address in the answer.
        case next(String)
        /// The `Link` header.
        case link
        /// A page number, or how many records to skip; the pages end with an empty one.
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
    /// What `config` asks.
    package var questions: [Question] = []
    /// What stands behind `auth:`, as YAML on one line.
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
    /// What was not taken over, for a comment.
    package var leftOut: [String] = []
    /// Source records for the fixture: one at least.
    package var examples: [JSONValue]
    /// The answer around the records.
    /// How they stand in it.
    package var answer: Answer

    /// An answer with records in it.
    package enum Answer: Sendable, Equatable {
        /// A list of them.
        case list
        /// An object, with the list at a path of members, and other members as they are on the last page.
        case object(path: [String], others: JSONValue)
        /// One record, which stands at a path of members, or is the whole answer.
        case single(path: [String])
    }

    /// Compares the texts.
    package static func == (left: PlugDraft, right: PlugDraft) -> Bool {
        left.manifest == right.manifest && left.fixture == right.fixture && left.readme == right.readme
    }
}
