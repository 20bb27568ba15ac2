internal import PlugCore

extension PlugError.Code {
    static let archiveUnopened = Self(
        "archive-unopened",
        exit: .configuration,
        "The file that a config key of type 'file' names cannot be opened: it is not there, or it is a folder. A path is taken from where "
            + "the command runs.",
        "Give the path of the export as it was downloaded, as in --config export=export.zip."
    )

    static let archiveUnreadable = Self(
        "archive-unreadable",
        exit: .data,
        "An archive cannot be read, or not to its end: it was cut short, is damaged or protected with a password, has too many entries, is "
            + "of a kind that is not read (7z, RAR, xz, bzip2), or was changed meanwhile. What was read before is delivered, and "
            + "the stream has not moved behind it.",
        "Download the export once more and give the new file. What is known of it is not delivered again."
    )

    static let archiveEntry = Self(
        "archive-entry",
        exit: .data,
        "An entry of an archive cannot be read: it is not what 'decode' says, its checksum or its size is wrong, it is a link, it has a "
            + "password or a name that leads elsewhere, or it expands too much. The message names it. All other entries were read, "
            + "and the next run with this archive comes back to this one.",
        "Download the export once more. If the entry is right, correct 'decode' or 'entries' in the manifest."
    )

    static let archiveLacksEntries = Self(
        "archive-lacks-entries",
        "A warning: no entry of the archive fits 'archive.entries' of a stream, so it has no records. An export may be without this kind, "
            + "or the service may call its files otherwise by now.",
        "If the export should have it, list its files with 'unzip -l' and correct 'entries'."
    )
}
