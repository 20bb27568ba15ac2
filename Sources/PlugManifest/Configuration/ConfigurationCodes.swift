internal import PlugCore

/// The codes of configuration files.
enum ConfigurationCodes {
    static let all: [PlugError.Code] = [
        .configFileMalformed
    ]
}

extension PlugError.Code {
    static let configFileMalformed = Self(
        "config-file-malformed",
        exit: .configuration,
        "The file of --config-file is neither JSON nor YAML, or is not a mapping of names to single values and "
            + "lists of them.",
        example: "user: {name: ada}",
        "Write a line 'name: value' for each answer, or one JSON object."
    )
}
