import Archives
import Decoding
import JQ
import LosslessJSON
import PlugCore

// Streams that are read from an export.
extension ManifestBuilder {
    /// The file and its entries; `nil` without 'archive', or if it has an error.
    func archive(_ keys: CheckedMapping) -> ArchiveSource? {
        guard let node = keys["archive"],
            let archive = CheckedMapping(node, Tables.archive, at: keys.location("archive"), findings)
        else { return nil }
        let file = archive["file"].flatMap(archiveFile)
        let nodes = archive["entries"].map { $0.sequence ?? [$0] } ?? []
        let entries = nodes.compactMap(entryPattern)
        guard let file, entries.count == nodes.count, !entries.isEmpty else { return nil }
        return ArchiveSource(file: file, entries: entries)
    }

    private func archiveFile(_ node: YAMLNode) -> String? {
        // It is never rendered, so no test can cover it.
        guard let template = untested({ template(node, .template(Self.archivePlace, ["config"])) }) else { return nil }
        if template.isWhole, let syntax = template.expressions.first?.program.syntax,
            case .index(_, let key) = syntax.node, case .literal(let value) = key.node,
            let name = value.stringText, fileFields.contains(name)
        {
            return name
        }
        findings.error(
            .badArchive,
            "'file' must be a single config key of type 'file'",
            at: node.location,
            help: "declare config.export with 'type: file' and write \"{{ config.export }}\""
        )
        return nil
    }

    private func entryPattern(_ node: YAMLNode) -> EntryPattern? {
        guard let text = node.scalar?.text else { return nil }
        if let pattern = EntryPattern(text) { return pattern }
        findings.error(
            .badArchive,
            "'\(MessageText.shortened(text))' does not name entries of an archive",
            at: node.location,
            help:
                "write names with slashes between, such as posts/*.json or **/{posts,albums}/*.json, with at most two **"
        )
        return nil
    }

    /// The format of the entries: JSON unless the manifest says otherwise, read in pieces if `records` allows it.
    func entryDecoding(_ decoding: AnswerDecoding?, _ records: JQProgram?) -> AnswerDecoding {
        if let decoding { return decoding }
        return AnswerDecoding(format: .json(JSONList(path: records.flatMap(JQChunks.init)?.names)), charset: nil)
    }

    /// The only place that sees config keys of type `file`.
    static let archivePlace = "archive.file"

    /// Reports where a path on the operator's machine would be disclosed.
    func reportFile(_ name: String, in scope: ProgramScope, at location: Diagnostic.Location) {
        findings.error(
            .fileUse,
            "the file 'config.\(name)' is used in \(scope.place)",
            at: location,
            help: "only 'archive.file' takes a file"
        )
    }
}
