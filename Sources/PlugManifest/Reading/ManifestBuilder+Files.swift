import PlugCore

/// Files beside the manifest.
extension ManifestBuilder {
    /// The text of a GraphQL query: as written, or from the file that it names. `nil` if that cannot be read.
    func query(_ node: YAMLNode) -> String? {
        guard let text = node.scalar?.text else { return nil }
        let isName =
            [".graphql", ".gql"].contains { text.lowercased().hasSuffix($0) }
            && !text.contains(where: { $0 == "{" || $0.isNewline })
        guard isName else { return text }
        if let known = files[text] { return known }
        do {
            let file = try NeighbourFile.read(text, in: folder)
            files[text] = file
            return file
        } catch {
            findings.error(
                .queryFile,
                "cannot read '\(MessageText.shortened(text))': \(error.reason)",
                at: node.location,
                help: error.help
            )
            return nil
        }
    }
}

/// Reads a file beside a manifest, or in a folder beside it, and nothing else: a manifest may come from anyone.
enum NeighbourFile {
    /// Why a file was not read.
    struct Refused: Error {
        let reason: String
        let help: String
    }

    /// The largest file in bytes, the same as for a manifest.
    static let byteLimit = YAMLReader.byteLimit
    /// The largest catalogue of streams: programs write every column of every stream into theirs.
    static let catalogueLimit = 8 << 20

    static func read(
        _ name: String,
        in folder: String?,
        limit: Int = byteLimit
    ) throws(Refused) -> String {
        let steps = name.split(separator: "/", omittingEmptySubsequences: false)
        let isBeside = steps.allSatisfy { step in
            !step.isEmpty && step.first != "." && step.unicodeScalars.allSatisfy { !ManifestBuilder.isControl($0) }
        }
        guard isBeside, !name.contains("\\") else {
            throw Refused(
                reason: "it is not beside the manifest",
                help: "write the name of a file in the manifest's folder, such as things.graphql"
            )
        }
        guard let folder else {
            throw Refused(reason: "this manifest is not in a folder", help: "write its content here instead")
        }
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try WholeFile.read(steps.map(String.init), beneath: folder, limit: limit)
        } catch .tooLarge {
            throw Refused(reason: "it has more than \(limit >> 10) KiB", help: "write a shorter one")
        } catch {
            throw Refused(reason: error.reason, help: "it must be a file in the manifest's folder, not a link")
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
            throw Refused(reason: "it is not text in UTF-8", help: "save it as UTF-8")
        }
        return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
    }
}
