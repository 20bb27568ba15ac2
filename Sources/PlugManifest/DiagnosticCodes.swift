package import PlugCore

/// The codes of manifests, as `plughost explain` lists them. Each file of codes lists its own.
package enum DiagnosticCodes {
    /// All codes.
    package static let all: [PlugError.Code] =
        ManifestCodes.all + ConfigurationCodes.all + YAMLCodes.all + ValueCodes.all + StreamCodes.all
        + SinceKeyCodes.all
        + JQProgramCodes.all + AuthCodes.all + OAuthKeyCodes.all + WebhookCodes.all + ArchiveKeyCodes.all
        + ModuleKeyCodes.all + ProgramManifestCodes.all + TemplateCodes.all + MigrationCodes.all
}
