internal import PlugCore

/// The codes of the key 'archive'.
enum ArchiveKeyCodes {
    static let all: [PlugError.Code] = [
        .badArchive, .fileUse,
    ]
}

extension PlugError.Code {
    static let badArchive = Self(
        "bad-archive",
        exit: .configuration,
        "'archive' does not say which file it reads, or which entries of it. The file is always what a person named in a config "
            + "key of type 'file', so that no manifest can choose which files of a machine are read.",
        example: "archive: {file: /home/ann/export.zip, entries: /posts/*.json}",
        "archive: {file: \"{{ config.export }}\", entries: \"posts/*.json\"}, with config: {export: {type: file}}"
    )

    static let fileUse = Self(
        "file-use",
        exit: .configuration,
        "A config key of type 'file' is the path of a file on the operator's machine. It is used in 'archive.file' and nowhere else, and "
            + "the manifest gives it no value of its own.",
        example: "config: {export: {type: file, default: /etc/passwd}}",
        "Remove the default, and use the key in 'archive.file' only."
    )
}
