/// The reference page of the manifest language.
package enum ManifestReference {
    /// `Documentation/manifest-reference.md`.
    package static var markdown: String {
        let head = """
            # Every key of the manifest

            Written by `plughost schema --format markdown`. [plug.yaml.example](../plug.yaml.example) shows the keys in a manifest,
            [Manifest](manifest.md) explains the behaviour behind them.

            *T* is text in which `{{ … }}` may stand, *J* a jq program. Keys in bold are required; of the keys marked "one of", exactly
            one is written. A key that came after plughost \(KeySpec.firstVersion) says since which version it is there.

            """
        return KeyReference(head: head, of: Tables.manifest) { table, key in
            Tables.mayBeNone(table, key) ? "`none` leaves a default out." : nil
        }.markdown
    }
}
