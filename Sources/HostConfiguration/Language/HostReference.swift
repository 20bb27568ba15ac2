package import LosslessJSON
internal import PlugManifest

/// The language of `plughost.yaml`, for editors and for people.
package enum HostReference {
    /// The JSON Schema, draft 2020-12.
    package static var schema: JSONValue { KeySchema("The configuration of a plughost", of: HostTables.host).json }

    /// `Documentation/host-reference.md`.
    package static var markdown: String {
        let head = """
            # Every key of plughost.yaml

            Written by `plughost schema --config --format markdown`. [plughost.yaml.example](../plughost.yaml.example) shows the keys in a
            file; [Command line](command-line.md#config) says where plughost looks for the file.

            An option overrides a variable, and a variable overrides the file. An empty variable counts as not set, and one that holds a
            list separates its elements with commas. Relative paths in variables and options begin at the current folder. Keys in bold
            are required.

            """
        return KeyReference(head: head, of: HostTables.host, note: note).markdown
    }

    private static func note(_ table: KeyTable, _ key: KeySpec) -> String? {
        let path = table.name == HostTables.host.name ? key.name : "\(table.name).\(key.name)"
        guard let known = ConfigurationKey.all.first(where: { $0.path == path }), let variable = known.variable else {
            return nil
        }
        let option = known.option.map { ", option `\($0.rawValue)`" } ?? ""
        return "Variable `\(variable)`\(option)."
    }
}
