internal import LosslessJSON

/// The sandbox's substitute for PostgreSQL's full-text search: whole words, ignoring case.
///
/// Every word of the search has to occur in a text of the field, at any depth; the most common English words are left out.
/// PostgreSQL's dictionary would also reduce words to their stems (`running` finds `run`), which this does not.
enum TextSearch {
    static func matches(_ field: JSONValue, _ search: JSONValue) -> Bool {
        let wanted = words(in: search.stringText ?? search.compactText)
        // A search of nothing but common words finds nothing.
        guard !wanted.isEmpty else { return false }
        var found: Set<String> = []
        collect(field, &found)
        return wanted.isSubset(of: found)
    }

    private static func collect(_ value: JSONValue, _ found: inout Set<String>) {
        switch value {
        case .string(let text): found.formUnion(words(in: text.text))
        case .array(let elements): for element in elements { collect(element, &found) }
        case .object(let object): for member in object.members { collect(member.value, &found) }
        default: break
        }
    }

    private static func words(in text: String) -> Set<String> {
        Set(
            text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
                .filter { !common.contains($0) }
        )
    }

    private static let common: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "from", "had", "has", "have", "he", "her", "his",
        "i", "if", "in", "into", "is", "it", "its", "me", "my", "no", "nor", "not", "of", "on", "or", "our", "she",
        "so",
        "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "to", "too", "was",
        "we", "were", "what", "when", "where", "which", "who", "whom", "why", "will", "with", "you", "your",
    ]
}
