internal import PlugCore

/// A program over records, by its key in the manifest.
enum RecordProgram: String {
    case key
    case version
    case map
    case dropIf = "drop_if"
    case deletion = "deletes.field"

    /// Whether it sees the bounds of the request: what tells records apart, and what is delivered, may be made of them.
    var seesBounds: Bool { self == .map || self == .key }

    /// The code of a record on which the program fails.
    var failed: PlugError.Code {
        switch self {
        case .key: .keyFailed
        case .version: .versionFailed
        case .map: .mapFailed
        case .dropIf: .dropIfFailed
        case .deletion: .deletionFailed
        }
    }
}
