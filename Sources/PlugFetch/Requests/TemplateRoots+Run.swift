package import LosslessJSON
package import PlugCore
package import PlugManifest

extension TemplateRoots {
    /// The roots that all templates of a run share: `config`, `now` and `vars`.
    ///
    /// - Parameters:
    ///   - config: The configuration with its secrets and the manifest's defaults.
    ///   - now: Microseconds since 1970.
    /// - Throws: `PlugError` if a var refers to what the configuration lacks.
    package init(of manifest: Manifest, config: JSONObject, now: Int64) throws(PlugError) {
        self.init(config: .object(config), now: .text(Timestamp(microseconds: now).rfc3339))
        var vars = JSONObject()
        for (name, template) in manifest.vars {
            vars[JSONString(name)] = try template.render(self)
            self.vars = .object(vars)
        }
    }
}
