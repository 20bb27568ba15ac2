import Glibc
package import PlugCore
package import PlugModules

/// Reads manifests: bytes, located tree, checks, model.
package enum ManifestReader {
    /// Reads a manifest from its bytes. Never fails: all errors are in the result.
    ///
    /// - Parameters:
    ///   - path: The name for messages.
    ///   - text: The file's bytes, UTF-8 with or without a byte order mark, any line endings.
    ///   - folder: The folder of the files that it names; `nil` if it is not on disk.
    ///   - fetchers: The fetchers in Swift that this host has.
    ///   - coverage: Records which members the programs meet when they run.
    package static func read(
        path: String,
        text: [UInt8],
        folder: String? = nil,
        fetchers: FetcherRegistry = FetcherRegistry(),
        coverage: ManifestCoverage? = nil
    ) -> ManifestResult {
        let file = ManifestSource(path: path, text: String(decoding: text.prefix(YAMLReader.byteLimit), as: UTF8.self))
        let tree = YAMLReader.read(text)
        let findings = Findings(tree.diagnostics, of: Tables.all)
        var manifest: Manifest?
        if let root = tree.root {
            let builder = ManifestBuilder(
                findings,
                tree.source,
                path: path,
                folder: folder,
                fetchers: fetchers,
                coverage: coverage
            )
            manifest = builder.manifest(root, file)
        }
        return ManifestResult(
            manifest: findings.hasErrors ? nil : manifest,
            diagnostics: findings.sorted,
            source: file
        )
    }

    /// Reads a manifest from disk.
    ///
    /// - Parameters:
    ///   - path: A file, or a folder with a `plug.yaml`.
    ///   - fetchers: As for `read`.
    ///   - coverage: As for `read`.
    /// - Throws: `PlugError` `manifest-missing` or `manifest-unreadable`, exit 78.
    package static func load(
        _ path: String,
        fetchers: FetcherRegistry = FetcherRegistry(),
        coverage: ManifestCoverage? = nil
    ) throws(PlugError) -> ManifestResult {
        let file = try file(path)
        return read(
            path: file.path,
            text: file.text,
            folder: WholeFile.folder(of: file.path),
            fetchers: fetchers,
            coverage: coverage
        )
    }

    /// A manifest's file, and its content.
    ///
    /// - Parameter path: As for `load`.
    /// - Throws: As `load`.
    package static func file(_ path: String) throws(PlugError) -> (path: String, text: [UInt8]) {
        let file = Files.isFolder(path) ? (path.hasSuffix("/") ? path : path + "/") + "plug.yaml" : path
        return (file, try bytes(of: file, asked: path))
    }

    /// The bytes, at most one more than a manifest may have, so that a device or a huge file is cheap to refuse.
    private static func bytes(of file: String, asked: String) throws(PlugError) -> [UInt8] {
        do throws(FileError) {
            return try WholeFile.read(file, upTo: YAMLReader.byteLimit + 1, .regular)
        } catch .system(let number) {
            throw failure(file, asked, number)
        } catch {
            throw PlugError(
                .manifestUnreadable,
                "\(file) is not a file",
                advice: "name a manifest"
            )
        }
    }

    private static func failure(_ file: String, _ asked: String, _ number: Int32) -> PlugError {
        if number == ENOENT || number == ENOTDIR {
            let what = file == asked ? "there is no file '\(file)'" : "there is no plug.yaml in '\(asked)'"
            return PlugError(
                .manifestMissing,
                what,
                advice: "name a manifest, or a folder with a plug.yaml"
            )
        }
        let reason = String(cString: strerror(number))
        return PlugError(
            .manifestUnreadable,
            "cannot read \(file): \(reason)",
            advice: "check its permissions"
        )
    }
}
