internal import PlugCore
internal import PlugManifest

/// A path on the command line, and what was found there.
struct LoadedPlug {
    let path: String
    let result: Result<Manifest, PlugError>

    init(_ path: String, in context: CommandContext) {
        self.path = path
        do { result = .success(try Manifests.load(path, in: context)) } catch { result = .failure(error) }
    }

    var manifest: Manifest? { try? result.get() }

    /// Why there is no manifest.
    var error: PlugError? { if case .failure(let error) = result { error } else { nil } }

    /// Its name in reports: the plug's id, or the path if the manifest cannot be used.
    var name: String { manifest?.id ?? path }
}
