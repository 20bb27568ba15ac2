internal import PlugCore

/// A program over records, by its key in the manifest.
enum RecordProgram: String {
    case key
    case version
    case map
    case dropIf = "drop_if"
    case deletion = "deletes.field"

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
