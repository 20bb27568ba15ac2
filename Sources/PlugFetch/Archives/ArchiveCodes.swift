package import PlugCore

/// The codes of archives.
enum ArchiveCodes {
    static let all: [PlugError.Code] = [
        .archiveNotGiven, .archiveUnopened, .archiveUnreadable, .archiveEntry, .archiveLacksEntries,
    ]
}

extension PlugError.Code {
    package static let archiveNotGiven = Self(
        "archive-not-given",
        exit: .configuration,
        "All streams that the run reads come from a file, the export that a person has, and no file was given.",
        "Give the path of the export as it was downloaded, as in --config export=export.zip."
    )

    static let archiveUnopened = Self(
        "archive-unopened",
        exit: .configuration,
        "The file that a config key of type 'file' names cannot be opened: it does not exist, or it is a folder. A relative path "
            + "begins at the current folder.",
        "Give the path of the export as it was downloaded, as in --config export=export.zip."
    )

    static let archiveUnreadable = Self(
        "archive-unreadable",
        exit: .data,
        "An archive cannot be read, or not to its end: it is truncated, damaged or protected with a password, has too many "
            + "entries, is of an unsupported kind (7z, RAR, xz, bzip2), or was changed while it was read. What was read before "
            + "that is delivered, and the stream has not moved past it.",
        "Download the export again and give the new file. Known records are not delivered again."
    )

    static let archiveEntry = Self(
        "archive-entry",
        exit: .data,
        "An entry of an archive cannot be read: it is not what 'decode' says, its checksum or its size is wrong, it is a link, it "
            + "has a password or a name that leads out of the archive, or it expands too much. The message names it. All other "
            + "entries were read, and the next run with this archive tries this one again.",
        "Download the export again. If the entry is right, correct 'decode' or 'entries' in the manifest."
    )

    package static let archiveLacksEntries = Self(
        "archive-lacks-entries",
        exit: .failed,
        "No entry of the archive matches a stream's 'archive.entries', so the stream has no records. The export may lack this kind of "
            + "record, or the service may have renamed its files. A warning, unless it is so for all streams that the run reads from "
            + "archives: then the file is probably another one.",
        "Give the export that the plug's README describes. If it should have these records, list its files with 'unzip -l' and correct "
            + "'entries'."
    )
}
