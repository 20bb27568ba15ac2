internal import PlugCore
internal import PlugManifest

/// A path of the command line, and what was found there.
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

    /// How reports call it: the plug's id, the path where the manifest cannot be used.
    var name: String { manifest?.id ?? path }
}
