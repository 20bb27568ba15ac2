/// Something in a file that is not as it should be, although all records could be read.
package struct DecodingNote: Sendable, Equatable {
    /// What was found.
    package enum Kind: Sendable, Hashable {
        /// Times are in a zone of this name, which neither the file nor the system knows: they are read as local ones.
        case unknownZone(String)
        /// A time is in no known form, and left out.
        case unreadTime
        /// Characters that XML does not allow became U+FFFD.
        case replacedCharacter
        /// An `&`, a `<` or an entity that XML does not know was taken for text.
        case markupAsText
    }

    /// What was found.
    package var kind: Kind
    /// How often, in this block.
    package var count: Int
    /// The line of the first one, from 1, if known.
    package var line: Int?
    /// The archived file that has the first one.
    package var file: String?
}
