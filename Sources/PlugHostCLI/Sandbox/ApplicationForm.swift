internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// A manifest as the application that a sandbox resolves: what it says about itself, with what can be derived.
enum ApplicationForm {
    /// The definition of a manifest: its own `application:`, with id, version, kind and role from the plug.
    static func definition(of manifest: Manifest) -> JSONValue {
        var definition = manifest.application?.object ?? JSONObject()
        definition["id"] = .text(manifest.id)
        definition["kind"] = .object(JSONObject([("kind", .text("DataPlug"))]))
        var info = definition["info"]?.object ?? JSONObject()
        info["version"] = .text(manifest.version)
        definition["info"] = .object(info)
        let role = JSONObject([("role", .text("namespacewrite")), ("detail", .text(manifest.namespace))])
        definition["permissions"] = .object(JSONObject([("rolesGranted", .array([.object(role)]))]))
        return .object(definition)
    }
}
