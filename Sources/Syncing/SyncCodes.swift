package import PlugCore

/// The codes of a host's own runs, as `plughost explain` lists them.
package enum SyncCodes {
    /// All of them.
    package static let all: [PlugError.Code] = [
        .firstDayUnreadable, .plugNotServed, .setupMissing, .setupUnreadable, .configMissing, .configUnfit,
        .plugNeedsFile,
    ]
}

extension PlugError.Code {
    static let firstDayUnreadable = Self(
        "first-day-unreadable",
        exit: .usage,
        "The first day to read is not a date.",
        "Write it as 2026-11-21, or leave it out."
    )

    static let plugNotServed = Self(
        "plug-not-served",
        exit: .configuration,
        "A connection is due, and the host does not have its plug: it was removed from 'plugs', or its manifest has errors.",
        "Add the plug's folder to 'plugs' and reload the host. The connection is tried again every hour."
    )

    static let plugNeedsFile = Self(
        "plug-needs-file",
        exit: .configuration,
        "The plug reads an export that a person downloads from the service. A host reads no files for connections, so it "
            + "cannot be connected there.",
        "An operator reads the export in a shell: 'plughost run PLUG --config export=FILE' (Documentation/archives.md)."
    )

    package static let setupMissing = Self(
        "setup-missing",
        exit: .failed,
        "The connection was made by 'run' or 'connect' and has no set-up, so a host cannot run it automatically.",
        "'plughost connection add' gives it one; its cursors stay."
    )

    static let setupUnreadable = Self(
        "setup-unreadable",
        exit: .configuration,
        "The stored set-up of a connection does not have the form in which it was written.",
        "'plughost connection add' replaces it; its cursors stay. 'plughost state check' checks the whole state."
    )

    package static let configMissing = Self(
        "config-missing",
        exit: .configuration,
        "The plug asks for something that was not answered, and a host that runs it automatically has nobody to ask.",
        "Answer it with 'plughost connection add' and --config KEY=VALUE, --config KEY=@FILE for secrets, or --config-file FILE."
    )

    static let configUnfit = Self(
        "config-unfit",
        exit: .configuration,
        "The plug has changed and no longer accepts an answer that a connection was made with.",
        "Answer it again with 'plughost connection add'; its cursors stay."
    )
}
