package import LosslessJSON

/// A route's entry in the API's description.
package struct APIOperation: Sendable {
    /// A query parameter.
    package struct Parameter: Sendable {
        /// Its name.
        package var name: String
        /// What it does, in a sentence.
        package var summary: String
        /// Its JSON Schema.
        package var schema: JSONValue
    }

    /// A successful response.
    package struct Answer: Sendable {
        /// The status.
        package var status: Int
        /// What it means, in a sentence.
        package var summary: String
        /// The name of the schema of its body; `nil` without one.
        package var schema: String?
    }

    /// Its operation id for clients, such as `listConnections`.
    package var id: String
    /// What it does, in a sentence.
    package var summary: String
    /// Its query parameters.
    package var query: [Parameter] = []
    /// The name of the schema of its body; `nil` without one.
    package var body: String?
    /// Its successful responses.
    package var answers: [Answer]
    /// The statuses of its errors, besides those that every route may have.
    package var errors: [Int] = []

    /// An operation.
    package init(
        _ id: String,
        _ summary: String,
        query: [Parameter] = [],
        body: String? = nil,
        answers: [Answer],
        errors: [Int] = []
    ) {
        self.id = id
        self.summary = summary
        self.query = query
        self.body = body
        self.answers = answers
        self.errors = errors
    }
}
