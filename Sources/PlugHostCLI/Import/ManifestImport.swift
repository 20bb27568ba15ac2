internal import Importing
internal import LosslessJSON
internal import PlugCore
internal import PlugManifest

/// The import of one manifest as a plug in a folder.
struct ManifestImport {
    /// The manifest.
    let path: String
    /// The plug's id.
    let id: String
    /// The folder to create; `nil` writes nothing.
    let folder: String?

    /// Created once for all plugs.
    private static let schema = PrettyJSON().text(ManifestSchema.json) + "\n"

    /// Reads the manifest, and writes the plug if any of it can be imported.
    ///
    /// - Throws: `PlugError` if the manifest cannot be read, or the folder exists or cannot be created.
    func plug() throws(PlugError) -> ImportedPlug {
        if let folder, Files.exists(folder) {
            throw PlugError(
                .initExists,
                "'\(DisplayText.escaped(folder))' already exists",
                advice: "choose another folder with -o, or remove it: nothing was changed"
            )
        }
        let plug = try AirbyteImport.plug(of: try manifest(), id: id)
        if let folder, let manifest = plug.manifest {
            try Files.makeFolder(folder, mode: 0o777)
            try Files.write(manifest, to: "\(folder)/plug.yaml")
            try Files.write(Self.schema, to: "\(folder)/plug.schema.json")
        }
        return plug
    }

    /// The error if nothing can be carried over.
    var nothing: PlugError {
        PlugError(
            .importNothing,
            "no stream of \(DisplayText.escaped(path)) can be carried over, and nothing was written",
            advice: "write the plug by hand, beginning with 'plughost init'"
        )
    }

    private func manifest() throws(PlugError) -> ForeignManifest {
        let shown = DisplayText.escaped(path)
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try WholeFile.read(path, limit: ForeignManifest.byteLimit, .regular)
        } catch {
            let reason = error == .tooLarge ? "it is larger than 16 MiB" : error.reason
            throw PlugError(.importUnreadable, "cannot read \(shown): \(reason)", advice: "check the path")
        }
        return try ForeignManifest(bytes, name: shown)
    }
}
