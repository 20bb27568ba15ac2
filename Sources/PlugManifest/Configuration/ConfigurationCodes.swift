internal import PlugCore

extension PlugError.Code {
    static let configFileMalformed = Self(
        "config-file-malformed",
        exit: .configuration,
        "The file of --config-file is neither JSON nor YAML, or is not a mapping of names to single values and "
            + "lists of them.",
        example: "user: {name: ada}",
        "Write a line 'name: value' for each answer, or one JSON object."
    )

    static let providersMalformed = Self(
        "providers-malformed",
        exit: .configuration,
        "A file of OAuth clients ('--providers', or providers.yaml in the state folder) is not a mapping of providers to "
            + "'client_id' and 'client_secret'.",
        example: "google: {client_id: 12-ab.apps.example, client_secret: {file: google.secret}}",
        "Correct the place that the error names."
    )
}
