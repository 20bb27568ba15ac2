internal import LosslessJSON
internal import PlugCore
internal import PlugManifest
internal import Scaffolding

/// An API description in a file, JSON or YAML.
enum OpenAPIFile {
    /// The largest description accepted.
    private static let byteLimit = 64 << 20

    /// - Throws: `PlugError` `openapi-unreadable`.
    static func read(_ path: String) throws(PlugError) -> OpenAPIDescription {
        let shown = DisplayText.escaped(path)
        let bytes: [UInt8]
        do throws(FileError) { bytes = try WholeFile.read(path, limit: byteLimit, .regular) } catch {
            let reason = error == .tooLarge ? "it is larger than 64 MiB" : error.reason
            throw PlugError(.openAPIUnreadable, "cannot read \(shown): \(reason)", advice: "check the path")
        }
        let root = try tree(bytes, shown)
        do throws(PlugError) { return try OpenAPIDescription(root) } catch {
            var error = error
            error.message = "\(shown): \(error.message)"
            throw error
        }
    }

    private static func tree(_ bytes: [UInt8], _ shown: String) throws(PlugError) -> JSONValue {
        do throws(JSONError) { return try JSONValue(parsing: bytes) } catch {
            // A file that begins like JSON is parsed as JSON.
            let first = bytes.first { !($0 == 0x20 || 0x09...0x0D ~= $0 || $0 >= 0x80) }
            if first == UInt8(ascii: "{") {
                throw PlugError(.openAPIUnreadable, "\(shown) is not JSON: \(error.reason)", advice: "check the file")
            }
        }
        let tree = YAMLReader.read(bytes)
        if let root = tree.root { return root.jsonValue }
        let finding = tree.diagnostics.first
        let place = finding?.location.map { ":\($0.line):\($0.column)" } ?? ""
        throw PlugError(
            .openAPIUnreadable,
            "\(shown)\(place): this cannot be read as JSON or YAML: \(finding?.message ?? "it is empty")",
            advice: "convert it to JSON"
        )
    }
}
