package import PlugCore

/// The codes of manifests, as `plughost explain` lists them.
package enum DiagnosticCodes {
    /// The file and its YAML.
    package static let file: [PlugError.Code] = [
        .manifestMissing, .manifestUnreadable, .configFileMalformed, .yamlTooLarge, .yamlNotUTF8,
        .yamlNul,
        .yamlEmpty, .yamlSyntax, .yamlAnchor, .yamlMergeKey, .yamlDuplicateKey, .yamlSeveralDocuments, .yamlTooDeep,
        .yamlTag, .yamlKey, .unquotedTemplate,
    ]

    /// Keys and their kinds.
    package static let keys: [PlugError.Code] = [
        .unknownKey, .missingKey, .wrongType, .wrongValue, .twoKinds, .missingKind,
    ]

    /// Invalid values.
    package static let values: [PlugError.Code] = [
        .badID, .badVersion, .badDate, .badNamespace, .badEndpoint, .badHost, .badURL, .badPath, .badSince, .badName,
        .notASize, .badDuration, .badRate, .badShare, .badStatus, .badMatch, .badDecoding, .cursorSensitive, .badCast,
        .badZone,
        .badArchive, .fileUse, .pageDecoded, .testUnfit, .equalExcludes, .deletesIdentity, .deletesMissing,
        .deletesVersion, .ruleKey,
        .badOverlap,
        .badWindow, .badSettle,
        .badFilter,
        .badTimePattern, .outOfRange, .defaultType, .defaultNotInEnum, .secretDefault, .secretInManifest, .authNotHTTPS,
        .headerName, .open(.headerControl), .burstWithoutRate,
    ]

    /// References.
    package static let references: [PlugError.Code] = [
        .open(.unknownStream), .streamCycle, .unknownRoot, .open(.unknownConfig), .unknownFetcher, .unknownVar,
        .rootUnavailable,
        .secretInProgram, .hostOutside, .baseMissing,
    ]

    /// Programs and templates.
    package static let programs: [PlugError.Code] = [
        .jqSyntax, .templateUnclosed, .templateEmpty,
    ]

    /// Inconsistent streams.
    package static let streams: [PlugError.Code] = [
        .noStreams, .keyRequired, .jsonNeedsPost, .stopNeedsSize, .sizeMissing, .shrinkNeedsSize, .resetNeedsBound,
        .rereadNeedsSince,
        .stopNeedsToken,
        .pagingFiltered,
        .placeWithoutParam, .windowNeedsStart, .windowNotSent, .stopNeedsOrder, .bodyMissing, .cursorUnused,
        .grantNeeds, .grantExcludes, .checkOfChild, .webhookSigned, .webhookAccount, .signNeeds, .signExcludes,
        .forEachTooDeep, .onlyChanged, .unchangedExcludes, .groupSince, .groupMember, .queryFile, .unknownNeedsFields,
        .rawMember,
    ]

    /// Warnings and notes: the manifest can be used.
    package static let advice: [PlugError.Code] = [
        .versionMissing, .deletesRange, .identityOff, .applicationMissing,
    ]

    /// Rendering of templates in a run.
    package static let rendering: [PlugError.Code] = [
        .open(.templateUndefined), .open(.templateMany), .open(.templateFailed), .authChoice,
    ]

    /// Manifests in an older version of the language.
    package static let migration: [PlugError.Code] = [.notMigrated, .migrated, .migrateByHand]

    /// All codes.
    package static let all =
        file + keys + values + references + programs + streams + advice + rendering + migration
        + ProgramManifestCodes.all
}
