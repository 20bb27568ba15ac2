package import LosslessJSON

/// Some records of an answer, in order: a document whose value is the array of them.
package struct DecodedBlock: Sendable {
    /// The array, `nil` without any record.
    package var document: JSONDocument?
    /// How many records it has.
    package var count: Int
    /// Records among them that are broken.
    package var broken: [BrokenRecord]
    /// How many byte sequences were no text in the answer's encoding, and became U+FFFD, since the block before.
    package var replaced = 0

    /// Whether the document is no list of records, but a file of JSON as it is.
    package var isWhole = false

    /// The records.
    package var records: [JSONView] { document?.root.elements ?? [] }
}
