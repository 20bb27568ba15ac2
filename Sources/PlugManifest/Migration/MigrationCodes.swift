import PlugCore

/// The codes of manifests in an older version of the language.
enum MigrationCodes {
    static let all: [PlugError.Code] = [
        .notMigrated, .migrated, .migrateByHand,
    ]
}

extension PlugError.Code {
    static let notMigrated = Self(
        "not-migrated",
        exit: .configuration,
        "A manifest cannot be brought to the newest version of the language: it cannot be read, does not say its version, or is "
            + "of a later one.",
        "Correct it, or use a newer plughost."
    )

    static let migrated = Self(
        "migrated",
        "A key or word of a manifest was changed, because the newest version of the language has another one.",
        "Check the change; nothing else needs to be done."
    )

    static let migrateByHand = Self(
        "migrate-by-hand",
        "A key of a manifest does not exist in the newest version of the language, and what to write instead depends on what is "
            + "meant.",
        "Change it as the message says, and run 'plughost validate'."
    )
}
