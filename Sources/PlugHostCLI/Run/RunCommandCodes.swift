internal import PlugCore

/// The codes of running a plug.
enum RunCommandCodes {
    static let all: [PlugError.Code] = [
        .descriptorLimit, .threadLimit, .fewDescriptors, .badConfig, .badConnection, .connectionsMalformed,
        .serviceLimited,
        .openSecret, .open(.configInvalid),
    ]
}

extension PlugError.Code {
    static let descriptorLimit = Self(
        "descriptor-limit",
        exit: .configuration,
        "The process may open so few files and sockets that a library could end it without a message.",
        "Raise the limit with ulimit -n, or LimitNOFILE= of the unit."
    )

    static let threadLimit = Self(
        "thread-limit",
        exit: .tryLater,
        "The system refuses the threads that every command needs: too many processes of this user or unit run, or there is too little "
            + "memory for their stacks. Nothing was done.",
        "Run it again when the machine has room. Otherwise raise the limit: ulimit -u or TasksMax= of the unit for threads, ulimit -v and -d "
            + "or MemoryMax= for memory."
    )

    static let fewDescriptors = Self(
        "few-descriptors",
        "Every running connection needs a few open files and sockets, and the process may not open enough for "
            + "--parallel. Fewer connections run at a time; nothing else changes.",
        "Raise the limit with ulimit -n, or with LimitNOFILE= in the unit."
    )

    static let badConfig = Self(
        "bad-config",
        exit: .usage,
        "The value of --config is not of the form KEY=VALUE. It is not shown, because it may be a secret.",
        "Write --config user=ada, or --config api_key=@FILE for a secret."
    )

    static let badConnection = Self(
        "bad-connection",
        exit: .usage,
        "The name after --connection is empty, too long, or contains spaces, control characters or '/'.",
        "Use 1 to 100 bytes without these characters, such as ada-work."
    )

    static let connectionsMalformed = Self(
        "connections-malformed",
        exit: .configuration,
        "A line of the --connections file does not describe a connection. Nothing was run.",
        "Write one JSON object per line: {\"connection\": \"ada\", \"pda\": \"https://ada.example\", "
            + "\"token_file\": \"ada.token\", \"config\": {\"user\": \"Ada\"}}; 'config' is optional."
    )

    static let serviceLimited = Self(
        "service-limited",
        "The plug's manifest says that its service has closed, or that not everybody can use it ('status'). The command continues: "
            + "connections that worked before may still work.",
        "Read the plug's README. If another plug is named, use that one."
    )

    static let openSecret = Self(
        "open-secret",
        exit: .usage,
        "A secret was given on the command line, where everybody on the machine can read it.",
        "Write --config KEY=@FILE, or set PLUGHOST_CONFIG_KEY. Change the secret if others may have seen it."
    )
}

extension PlugError.Code.Open {
    static let configInvalid = Self(
        "config-invalid",
        "A configuration value has the wrong type, or is not one of the allowed choices.",
        "Give a value of the type that the error names."
    )
}
