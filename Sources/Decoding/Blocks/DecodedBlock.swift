package import LosslessJSON

/// Some records of an answer, in order: a document whose value is the array of them.
package struct DecodedBlock: Sendable {
    /// The array, `nil` if there are no records.
    package var document: JSONDocument?
    /// How many records it has.
    package var count: Int
    /// The broken records among them.
    package var broken: [BrokenRecord]
    /// How many byte sequences since the previous block were invalid in the answer's encoding, and became U+FFFD.
    package var replaced = 0
    /// What else in it is not as it should be.
    package var notes: [DecodingNote] = []

    /// Whether the document is a JSON file as it is, not a list of records.
    package var isWhole = false

    /// The records.
    package var records: [JSONView] { document?.root.elements ?? [] }
}
